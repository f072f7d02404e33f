// Comes next.
export default function Screen() {
  return null;
}

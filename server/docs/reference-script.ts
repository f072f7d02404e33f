// Script of the reference page: search, copy, light or dark. Served as /docs/reference.js.

export const referenceScript = `
const search = document.getElementById('search');
const items = [...document.querySelectorAll('.contents li')];
search.addEventListener('input', () => {
  const wanted = search.value.trim().toLowerCase().split(/\\s+/);
  for (const item of items) item.hidden = !wanted.every((word) => item.dataset.words.includes(word));
  for (const group of document.querySelectorAll('.contents .group')) {
    group.hidden = group.querySelectorAll('li:not([hidden])').length === 0;
    if (search.value !== '') group.open = true;
  }
});
addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== search) { event.preventDefault(); search.focus(); }
  if (event.key === 'Escape' && document.activeElement === search) { search.value = ''; search.dispatchEvent(new Event('input')); }
  if (event.key === 'Enter' && document.activeElement === search) items.find((item) => !item.hidden)?.querySelector('a').click();
});

const theme = document.getElementById('theme');
const themes = ['auto', 'light', 'dark'];
const wear = (name) => {
  if (name === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  theme.textContent = { auto: 'Auto', light: 'Light', dark: 'Dark' }[name];
  theme.setAttribute('aria-label', 'Theme: ' + theme.textContent);
};
let worn = themes.includes(localStorage.getItem('docs-theme')) ? localStorage.getItem('docs-theme') : 'auto';
wear(worn);
theme.hidden = false;
theme.addEventListener('click', () => {
  worn = themes[(themes.indexOf(worn) + 1) % themes.length];
  localStorage.setItem('docs-theme', worn);
  wear(worn);
});

for (const figure of document.querySelectorAll('.example')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  figure.querySelector('figcaption').append(button);
}

const links = new Map(items.map((item) => [item.querySelector('a').hash.slice(1), item.querySelector('a')]));
let current = null;
const observer = new IntersectionObserver((seen) => {
  const first = seen.find((one) => one.isIntersecting);
  if (first === undefined) return;
  current?.removeAttribute('aria-current');
  current = links.get(first.target.id) ?? null;
  current?.setAttribute('aria-current', 'true');
}, { rootMargin: '-10% 0px -80% 0px' });
for (const section of document.querySelectorAll('.operation')) observer.observe(section);
`;

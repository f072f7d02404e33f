// Script of the reference pages: search, former anchors, copying, light or dark. Served as /docs/reference.js.

export const referenceScript = `
let index = null;
const fetchIndex = () => (index ??= fetch('/docs/search.json')
  .then((answer) => answer.ok ? answer.json() : Promise.reject(answer))
  .catch(() => { index = null; return null; }));

/* All operations stood on one page before: an anchor of it leads to where it is now. */
async function followFormerAnchor() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (location.pathname !== '/docs' || id === '' || document.getElementById(id) !== null) return;
  const found = await fetchIndex();
  if (found === null) return;
  const operation = found.operations.find(([name]) => name === id);
  const former = Object.hasOwn(found.former, id) ? found.former[id] : undefined;
  const address = operation === undefined ? former : found.pages[operation[4]][1] + location.hash;
  if (address !== undefined) location.replace(address);
}
followFormerAnchor();
addEventListener('hashchange', followFormerAnchor);

const search = document.getElementById('search');
const list = document.getElementById('found');
const most = 12;
let chosen = -1;

function entry(address, name, kind, method) {
  const item = document.createElement('li');
  item.setAttribute('role', 'option');
  const link = document.createElement('a');
  link.href = address;
  link.tabIndex = -1;
  if (method !== undefined) {
    const mark = document.createElement('b');
    mark.className = 'method ' + method;
    mark.textContent = method;
    link.append(mark);
  }
  const words = document.createElement('span');
  words.textContent = name;
  const small = document.createElement('small');
  small.textContent = kind;
  link.append(words, small);
  item.append(link);
  return item;
}

function choose(at) {
  const items = [...list.children];
  chosen = items.length === 0 ? -1 : (at + items.length) % items.length;
  items.forEach((item, place) => {
    item.id = 'found-' + place;
    item.setAttribute('aria-selected', String(place === chosen));
  });
  if (chosen >= 0) search.setAttribute('aria-activedescendant', 'found-' + chosen);
  else search.removeAttribute('aria-activedescendant');
  items[chosen]?.scrollIntoView({ block: 'nearest' });
}

function show(items) {
  list.replaceChildren(...items);
  list.hidden = items.length === 0;
  search.setAttribute('aria-expanded', String(items.length > 0));
  choose(items.length > 0 ? 0 : -1);
}

async function find() {
  const typed = search.value;
  const wanted = typed.trim().toLowerCase().split(/\\s+/).filter(Boolean);
  if (wanted.length === 0) return show([]);
  const { pages, operations } = (await fetchIndex()) ?? { pages: [], operations: [] };
  if (search.value !== typed) return;
  const fits = (...texts) => { const all = texts.join(' ').toLowerCase(); return wanted.every((word) => all.includes(word)); };
  const ofPages = pages.filter(([title, , section]) => fits(title, section));
  ofPages.sort(([a], [b]) => Number(b.toLowerCase() === wanted[0]) - Number(a.toLowerCase() === wanted[0]));
  const ofOperations = operations.filter(([id, method, path, summary, page]) => fits(id, method, path, summary, pages[page][0]));
  const items = [
    ...ofPages.map(([title, address, section]) => entry(address, title, section)),
    ...ofOperations.map(([id, method, , summary, page]) => entry(pages[page][1] + '#' + id, summary, pages[page][0], method)),
  ];
  if (items.length === 0) {
    const none = document.createElement('li');
    none.className = 'none';
    none.textContent = 'Nothing found';
    show([]);
    list.replaceChildren(none);
    list.hidden = false;
    return;
  }
  show(items.slice(0, most));
}

search.addEventListener('focus', fetchIndex);
search.addEventListener('input', find);
search.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') { event.preventDefault(); choose(chosen + 1); }
  if (event.key === 'ArrowUp') { event.preventDefault(); choose(chosen - 1); }
  if (event.key === 'Enter') list.children[chosen]?.querySelector('a')?.click();
  if (event.key === 'Escape') { search.value = ''; show([]); }
});
list.addEventListener('click', () => { list.hidden = true; });
addEventListener('pointerdown', (event) => { if (!event.target.closest('.search')) list.hidden = true; });
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, select, textarea')) return;
  event.preventDefault();
  search.focus();
});

const contents = document.getElementById('contents');
if (matchMedia('(max-width: 52rem)').matches) contents.open = false;
contents.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
scrollTo(0, location.hash === '' ? 0 : scrollY);

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
`;

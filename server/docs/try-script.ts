// Script of the forms of the reference. It calls this instance as the person who is signed in in this browser: the token is read from the session's
// cookie when a call is sent, goes into a header of a request to this origin alone, and is neither shown nor stored. What changes data is asked
// about first. Served as /docs/try.js.

export const tryScript = `
const cookieName = 'sb-kanbase-auth-token';
const longest = 20000;

/* The session as the app left it: in one cookie, or in parts .0, .1, … */
function readSession() {
  const cookies = new Map(document.cookie.split(';').map((pair) => {
    const [name, ...value] = pair.split('=');
    return [name.trim(), value.join('=')];
  }));
  let text = cookies.get(cookieName) ?? '';
  for (let part = 0; cookies.has(cookieName + '.' + part); part += 1) text += cookies.get(cookieName + '.' + part);
  try {
    text = decodeURIComponent(text);
    if (text.startsWith('base64-')) {
      const base64 = text.slice(7).replaceAll('-', '+').replaceAll('_', '/');
      text = new TextDecoder().decode(Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0)));
    }
    const session = JSON.parse(text);
    return typeof session.access_token === 'string' ? session : null;
  } catch {
    return null;
  }
}

const nameOf = (session) => session.user?.user_metadata?.name || session.user?.email || 'you';
const isOver = (session) => session.expires_at * 1000 < Date.now();

function element(name, words, more = {}) {
  const made = document.createElement(name);
  made.textContent = words;
  return Object.assign(made, more);
}

function tellWho(form) {
  const who = form.querySelector('.who');
  const session = readSession();
  const button = form.querySelector('button[type=submit]');
  button.disabled = session === null || isOver(session);
  if (session === null) who.replaceChildren(element('a', 'Sign in', { href: '/sign-in' }), ' to try it here, then come back.');
  else if (isOver(session)) who.replaceChildren('Your session needs renewing: ', element('a', 'open the app', { href: '/app' }), ', then come back.');
  else who.replaceChildren('As ' + nameOf(session) + ', on this instance.');
  return session;
}

let key = null;
/* Asked for again after a failure. */
const publicKey = () => (key ??= fetch('/api/settings')
  .then((answer) => { if (!answer.ok) throw new Error('/api/settings answers ' + answer.status); return answer.json(); })
  .then(({ anonKey }) => anonKey)
  .catch((error) => { key = null; throw error; }));

function readArguments(form) {
  const values = {};
  for (const field of form.querySelectorAll('[data-type]')) {
    const { type } = field.dataset;
    if (field.value === '') continue;
    if (type === 'string') values[field.name] = field.value;
    else if (type === 'boolean') values[field.name] = field.value === 'true';
    else {
      try { values[field.name] = JSON.parse(field.value); }
      catch {
        if (type !== 'json') throw new Error(field.name + ' must be JSON, such as ' + (type === 'array' ? '["a", "b"]' : type === 'object' ? '{"a": 1}' : '1'));
        values[field.name] = field.value;
      }
    }
  }
  return values;
}

function requestOf(form) {
  const { kind, path, profile } = form.dataset;
  const headers = profile === '' ? {} : { [kind === 'get' ? 'accept-profile' : 'content-profile']: profile };
  if (kind !== 'get') return { address: path, method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(readArguments(form)) };
  const query = new URLSearchParams({ select: form.elements.select.value || '*', limit: form.elements.limit.value || '10' });
  if (form.elements.column.value !== '') {
    const value = form.elements.value.value;
    const operator = form.elements.operator.value;
    query.append(form.elements.column.value, operator + '.' + (operator === 'in' && !value.startsWith('(') ? '(' + value + ')' : value));
  }
  return { address: path + '?' + query, method: 'GET', headers };
}

/* Resolves to whether the person goes on. */
function confirmChange(session, { address, body }) {
  const dialog = document.createElement('dialog');
  const form = Object.assign(document.createElement('form'), { method: 'dialog' });
  const cancel = element('button', 'Cancel', { value: 'cancel' });
  const go = element('button', 'Call', { value: 'go', className: 'go' });
  const buttons = document.createElement('p');
  buttons.append(cancel, ' ', go);
  form.append(
    element('h2', 'Call ' + address.split('/').pop() + '?'),
    element('p', 'This can change or delete data of this instance, as ' + nameOf(session) + '.'),
    element('pre', JSON.stringify(JSON.parse(body), null, 2)),
    buttons,
  );
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  cancel.focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => { dialog.remove(); resolve(dialog.returnValue === 'go'); });
    for (const button of [cancel, go]) button.addEventListener('click', (event) => { event.preventDefault(); dialog.close(button.value); });
  });
}

async function send(form, answer) {
  const session = tellWho(form);
  if (session === null || isOver(session)) return;
  let request;
  try { request = requestOf(form); } catch (error) { answer.replaceChildren(element('p', error.message, { className: 'fault' })); return; }
  if (form.dataset.kind === 'change' && !(await confirmChange(session, request))) return;
  answer.replaceChildren(element('p', 'Waiting…'));
  const { address, method, headers, body } = request;
  try {
    const reply = await fetch(address, {
      method, body,
      headers: { ...headers, apikey: await publicKey(), authorization: 'Bearer ' + session.access_token },
      credentials: 'omit', cache: 'no-store', redirect: 'error', referrerPolicy: 'no-referrer',
    });
    let text = await reply.text();
    try { text = JSON.stringify(JSON.parse(text), null, 2); } catch { /* as it is */ }
    if (text.length > longest) text = text.slice(0, longest) + '\\n…';
    answer.replaceChildren(element('p', reply.status + ' ' + reply.statusText, { className: reply.ok ? '' : 'fault' }), element('pre', text || '(empty)', { tabIndex: 0 }));
  } catch (error) {
    answer.replaceChildren(element('p', 'No answer: ' + error.message, { className: 'fault' }));
  }
}

for (const details of document.querySelectorAll('.try')) {
  const form = details.querySelector('form');
  details.hidden = false;
  details.addEventListener('toggle', () => { if (details.open) tellWho(form); });
  form.addEventListener('submit', (event) => { event.preventDefault(); send(form, form.querySelector('.answer')); });
}
addEventListener('focus', () => { for (const form of document.querySelectorAll('.try[open] form')) tellWho(form); });
`;

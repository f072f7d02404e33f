// The little the landing page does by itself: prices when there are any, the address of this server in the example, the lead form.

import { landing as say } from '../strings/landing.ts';
import { readPrice } from '../strings/prices.ts';
import { readPageSettings } from '../sync/page-settings.ts';

const settings = readPageSettings(document);

for (const place of document.querySelectorAll('[data-site]')) place.textContent = settings.siteUrl || location.origin;
if (settings.signup === false)
  for (const door of document.querySelectorAll<HTMLElement>('[data-with-signup]')) door.hidden = true;

const prices = settings.billing?.prices ?? [];
const shelf = document.querySelector<HTMLElement>('#prices');
if (shelf && prices.length > 0) {
  shelf.hidden = false;
  for (const link of document.querySelectorAll<HTMLElement>('[data-with-prices]')) link.hidden = false;
  shelf.querySelector('ul')?.append(
    ...prices.map((price) => {
      const item = document.createElement('li');
      const name = document.createElement('h3');
      name.textContent = price.name;
      const amount = document.createElement('p');
      amount.className = 'price-amount';
      const read = readPrice(price);
      amount.textContent = read?.amount ?? say.askPrice;
      const per = document.createElement('span');
      per.textContent = read?.per ?? '';
      amount.append(' ', per);
      const link = document.createElement('a');
      link.className = 'press press-plain';
      link.href = `/sign-in?next=${encodeURIComponent('/app/billing')}`;
      link.textContent = say.choose(price.name);
      item.append(name, amount, link);
      return item;
    }),
  );
}

const form = document.querySelector<HTMLFormElement>('#lead');
const field = document.querySelector<HTMLInputElement>('#lead-email');
const said = document.querySelector<HTMLElement>('#lead-said');

function tell(sentence: string, wrong: boolean): void {
  if (said === null || field === null) return;
  said.textContent = sentence;
  said.dataset.tone = wrong ? 'wrong' : 'good';
  if (wrong) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  if (field === null || button === null || button.ariaBusy === 'true') return;
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(field.value.trim())) {
    tell(say.emailWrong, true);
    field.focus();
    return;
  }
  button.ariaBusy = 'true';
  try {
    const answer = await fetch('/api/lead', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: field.value, source: 'landing' }),
    });
    if (answer.ok) {
      tell(say.thanks, false);
      field.value = '';
    } else {
      const { error } = (await answer.json().catch(() => ({}))) as { error?: string };
      tell(error ?? say.failed, true);
    }
  } catch {
    tell(say.unreachable, true);
  } finally {
    button.ariaBusy = null;
  }
});

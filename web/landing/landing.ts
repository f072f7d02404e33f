// The little the landing page does by itself: prices when there are any, the address of this server in the example, the lead form.

import { wantedLanguages } from '../strings/language.ts';
import { type Catalog, loadMessages, t } from '../strings/messages.ts';
import { readPrice } from '../strings/prices.ts';
import { readPageSettings } from '../sync/page-settings.ts';

const messages = loadMessages(
  import.meta.glob<Catalog>('../strings/*/{landing,prices}.json', { import: 'default' }),
  wantedLanguages(),
);
const settings = readPageSettings(document);

for (const place of document.querySelectorAll('[data-site]')) place.textContent = settings.siteUrl || location.origin;
if (settings.signup === false)
  for (const door of document.querySelectorAll<HTMLElement>('[data-with-signup]')) door.hidden = true;

const news = document.querySelector<HTMLElement>('#news');
if (news) news.hidden = !settings.leads;

const form = document.querySelector<HTMLFormElement>('#lead');
const field = document.querySelector<HTMLInputElement>('#lead-email');
const status = document.querySelector<HTMLElement>('#lead-status');

function showStatus(sentence: string, wrong: boolean): void {
  if (status === null || field === null) return;
  status.textContent = sentence;
  status.dataset.tone = wrong ? 'wrong' : 'good';
  if (wrong) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  await messages;
  const button = form.querySelector('button');
  if (field === null || button === null || button.ariaBusy === 'true') return;
  if (!/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(field.value.trim())) {
    showStatus(t('landing.emailWrong'), true);
    field.focus();
    return;
  }
  button.ariaBusy = 'true';
  try {
    const response = await fetch('/api/lead', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: field.value, source: 'landing' }),
    });
    if (response.ok) {
      showStatus(t('landing.thanks'), false);
      field.value = '';
    } else {
      const { error } = (await response.json().catch(() => ({}))) as { error?: string };
      showStatus(error ?? t('landing.failed'), true);
    }
  } catch {
    showStatus(t('landing.unreachable'), true);
  } finally {
    button.ariaBusy = null;
  }
});

const prices = settings.billing?.prices ?? [];
const priceSection = document.querySelector<HTMLElement>('#prices');
if (priceSection && prices.length > 0) {
  await messages;
  priceSection.hidden = false;
  for (const link of document.querySelectorAll<HTMLElement>('[data-with-prices]')) link.hidden = false;
  priceSection.querySelector('ul')?.append(
    ...prices.map((price) => {
      const item = document.createElement('li');
      const name = document.createElement('h3');
      name.textContent = price.name;
      const amount = document.createElement('p');
      amount.className = 'price-amount';
      const read = readPrice(price);
      amount.textContent = read?.amount ?? t('landing.askPrice');
      const per = document.createElement('span');
      per.textContent = read?.per ?? '';
      amount.append(' ', per);
      const link = document.createElement('a');
      link.className = 'press press-plain';
      link.href = `/sign-in?next=${encodeURIComponent('/app/billing')}`;
      link.textContent = t('landing.choose', { name: price.name });
      item.append(name, amount, link);
      return item;
    }),
  );
}

// Bodies in the shape of each service, by name: JSON as it is, and messages of chat services. Names that people type go in escaped, and call nobody:
// a task titled @channel is no call to a channel.

import type { WebhookShape } from '../../../contract/webhooks.ts';
import { type Said, sayEvent } from './say-event.ts';
import type { Payload } from './write-payload.ts';

type Shape = (payload: Payload) => unknown;

const asMarkdown = (text: string): string =>
  text.replaceAll(/([\\`*_~[\]()<>#|!])/g, '\\$1').replaceAll('@', '@\u200B');
const asHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('@', '@\u200B');
/** Slack's own: no more than these three. */
const asSlack = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const linked = (
  { title, url }: Said,
  escaped: (text: string) => string,
  link: (url: string, title: string) => string,
) => (url === null ? escaped(title) : link(url, escaped(title)));
const quoted = (quote: string | null, escaped: (text: string) => string): string =>
  quote === null ? '' : `\n${escaped(quote).replaceAll(/^/gm, '> ')}`;

export const shapes: Readonly<Record<WebhookShape, Shape>> = {
  json: (payload) => payload,
  slack(payload) {
    const said = sayEvent(payload);
    const title = linked(said, asSlack, (url, words) => `<${url}|${words.replaceAll('|', '¦')}>`);
    const text = `*${title}*\n${asSlack(said.sentence)}${quoted(said.quote, asSlack)}`;
    return {
      text: asSlack(`${said.title}: ${said.sentence}`),
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }],
      unfurl_links: false,
    };
  },
  mattermost(payload) {
    const said = sayEvent(payload);
    const title = linked(said, asMarkdown, (url, words) => `[${words}](${url})`);
    return { text: `**${title}**\n${asMarkdown(said.sentence)}${quoted(said.quote, asMarkdown)}` };
  },
  discord(payload) {
    const said = sayEvent(payload);
    return {
      embeds: [
        {
          title: said.title,
          ...(said.url === null ? {} : { url: said.url }),
          description: `${asMarkdown(said.sentence)}${quoted(said.quote, asMarkdown)}`,
          timestamp: payload.timestamp,
        },
      ],
      allowed_mentions: { parse: [] },
    };
  },
  /** A generic webhook of matrix-hookshot: Matrix itself takes messages from accounts only. */
  matrix(payload) {
    const said = sayEvent(payload);
    const title = linked(said, asHtml, (url, words) => `<a href="${asHtml(url)}">${words}</a>`);
    const quote = said.quote === null ? '' : `<blockquote>${asHtml(said.quote)}</blockquote>`;
    const lines = [said.title, said.sentence, said.quote, said.url].filter((line) => line !== null);
    return {
      text: lines.join('\n').replaceAll('@', '@\u200B'),
      html: `<strong>${title}</strong><br>${asHtml(said.sentence)}${quote}`,
    };
  },
  /** A workflow that posts to a channel when a webhook request comes in. */
  teams(payload) {
    const said = sayEvent(payload);
    const block = (text: string, more: object = {}) => ({
      type: 'TextBlock',
      text: asMarkdown(text),
      wrap: true,
      ...more,
    });
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        block(said.title, { weight: 'Bolder' }),
        block(said.sentence, { spacing: 'None' }),
        ...(said.quote === null ? [] : [block(said.quote, { isSubtle: true })]),
      ],
      ...(said.url === null ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: said.url }] }),
    };
    return {
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
    };
  },
};

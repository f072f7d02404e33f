// docs/configuration.md, from the declarations in server/config/.

import { settingsMarkdown } from '../../server/commands/config.ts';
import { listSettings } from '../../server/config/list-settings.ts';
import { readConfig } from '../../server/config/read-config.ts';

export function configurationMarkdown(): string {
  const { config, sources } = readConfig({ env: {} });
  return `${settingsMarkdown(listSettings(config, sources))}\n`;
}

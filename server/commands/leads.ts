// `kanbase leads`: the addresses left on the landing page, as a file for a spreadsheet or a mailing tool.

import { csvRow } from '../../contract/csv-row.ts';
import { openLog } from '../open-log.ts';
import { eachLead } from '../pages/lead-rows.ts';
import type { Call, Command } from './command.ts';
import { withRows } from './with-database.ts';

export const leads: Command = {
  name: 'leads',
  summary: 'Count the addresses left on the landing page, or export them.',
  about: 'npx kanbase leads --csv > leads.csv',
  flags: [{ name: 'csv', meaning: 'Print email, source and time of each, oldest first, as CSV.' }],
  run: runLeads,
};

async function runLeads({ config, flags, say }: Call): Promise<number> {
  const log = openLog(config);
  return withRows(config, log, async (database) => {
    let count = 0;
    if (flags.has('csv')) say(csvRow(['email', 'source', 'created_at']));
    await eachLead(database, (lead) => {
      count += 1;
      if (flags.has('csv')) say(csvRow([lead.email, lead.source, lead.created_at]));
    });
    if (!flags.has('csv')) say(`${count} ${count === 1 ? 'lead' : 'leads'}. npx kanbase leads --csv prints them.`);
    return 0;
  });
}

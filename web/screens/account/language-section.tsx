// The language of the pages and of all that is sent to this person.

import { nameLanguage } from '../../../contract/name-language.ts';
import { changeLanguage } from '../../session/account.ts';
import { useApp } from '../../session/react.tsx';
import { languageHere, languages, switchLanguage } from '../../strings/language.ts';
import { t } from '../../strings/messages.ts';
import { SelectField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Section } from '../../ui/section.tsx';
import { useRequest } from './use-request.ts';

export function LanguageSection() {
  const { door } = useApp();
  const request = useRequest();
  const language = languageHere();
  return (
    <Section title={t('common.language')} hint={t('account.languageHint')}>
      <SelectField
        label={t('common.language')}
        bare
        value={language}
        disabled={request.busy}
        choices={languages.map((one) => ({ value: one, label: nameLanguage(one) }))}
        onPick={(picked) => {
          if (picked === language) return;
          void request
            .run(() => changeLanguage(door, picked))
            .then((changed) => {
              if (changed) switchLanguage(picked);
            });
        }}
      />
      {request.fault && <Notice tone="danger">{request.fault}</Notice>}
    </Section>
  );
}

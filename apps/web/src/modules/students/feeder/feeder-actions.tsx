import { useTranslation } from 'react-i18next'
import { sendToFeeder, stopFeederSending } from '#domain/students/feeder/endpoints.ts'
import type { FeederState } from '#domain/students/feeder/lists.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { SendDialog, StopDialog } from './bulk-dialogs.tsx'

type Row = { registrationId: string; state: FeederState }

const idsOf = (rows: readonly Row[]) => rows.map(({ registrationId }) => registrationId)

/** Neo Feeder actions on students, in the list and on a student's page. */
export function useFeederActions<R extends Row>(): RowAction<R>[] {
  const { t } = useTranslation('feeder')
  return [
    {
      key: 'send',
      label: t('send.action'),
      right: sendToFeeder.access,
      main: true,
      many: true,
      suits: ({ state }) => state !== 'sent' && state !== 'waiting',
      dialog: (rows, ends) => <SendDialog ids={idsOf(rows)} {...ends} />,
    },
    {
      key: 'stop',
      label: t('stop.action'),
      right: stopFeederSending.access,
      many: true,
      suits: ({ state }) => state === 'waiting',
      dialog: (rows, ends) => <StopDialog ids={idsOf(rows)} {...ends} />,
    },
  ]
}

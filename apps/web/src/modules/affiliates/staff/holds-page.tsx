import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { decideHold } from '#domain/affiliates/endpoints.ts'
import { type HoldRow, listHolds } from '#domain/affiliates/lists.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import type { DialogEnds, RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { CommissionTabs } from './commission-tabs.tsx'
import { holdTones } from './tones.ts'

/** Commission held by alarms: release it, or take it back. */
export default function HoldsPage() {
  const { t } = useTranslation('affiliates')
  const open = ({ state }: HoldRow) => state === 'open'
  const actions: RowAction<HoldRow>[] = [
    {
      key: 'release',
      label: t('holds.release'),
      right: decideHold.access,
      main: true,
      suits: open,
      dialog: ([row], ends) => row && <DecideDialog hold={row} decision="release" {...ends} />,
    },
    {
      key: 'take-back',
      label: t('holds.takeBack'),
      right: decideHold.access,
      danger: true,
      suits: open,
      dialog: ([row], ends) => row && <DecideDialog hold={row} decision="take_back" {...ends} />,
    },
  ]
  return (
    <>
      <CommissionTabs tab="holds" />
      <DataList
        list={listHolds}
        title={useScreenTitle()}
        searchLabel={t('holds.search')}
        rowTitle={({ affiliate, code }) => `${affiliate} · ${code}`}
        href={({ registrationId }) => `/pendaftaran/${registrationId}`}
        rowActions={actions}
        cells={{ state: ({ state }) => <StatusDot tone={holdTones[state]} label={t(`holdState.${state}`)} /> }}
        empty={{ title: t('holds.empty'), text: t('holds.emptyText') }}
      />
    </>
  )
}

type DecideProps = { hold: HoldRow; decision: 'release' | 'take_back' } & DialogEnds

function DecideDialog({ hold: { id, code }, decision, ...ends }: DecideProps) {
  const { t } = useTranslation('affiliates')
  const takesBack = decision === 'take_back'
  return (
    <ReasonDialog
      call={decideHold}
      params={{ id }}
      body={{ decision }}
      title={t(takesBack ? 'holds.takeBackTitle' : 'holds.releaseTitle', { code })}
      submit={t(takesBack ? 'holds.takeBack' : 'holds.release')}
      danger={takesBack}
      label={t('holds.reason')}
      done={t(takesBack ? 'holds.takenBack' : 'holds.released')}
      {...ends}
    >
      <Text>{t(takesBack ? 'holds.takeBackText' : 'holds.releaseText')}</Text>
    </ReasonDialog>
  )
}

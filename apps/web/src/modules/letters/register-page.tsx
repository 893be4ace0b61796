import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { downloadLetter, withdrawLetter } from '#domain/letters/endpoints.ts'
import { type LetterRow, listLetterKinds, listLetters } from '#domain/letters/lists.ts'
import { download, pathOf } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import type { DialogEnds, RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { fileNameOf } from './file-name.ts'
import { letterTones } from './tones.ts'

/** The register of letters; each can be printed again, or withdrawn with a reason. */
export default function RegisterPage() {
  const { t } = useTranslation('letters')
  const { may } = useSession()
  const { data: kinds } = useEndpoint(listLetterKinds, { query: { per_page: 100 } })
  const actions: RowAction<LetterRow>[] = [
    {
      key: 'print',
      label: t('download'),
      main: true,
      suits: ({ state }) => state === 'valid',
      run: (letter) => download(pathOf(downloadLetter.path, { id: letter.id }), fileNameOf(letter)),
    },
    {
      key: 'withdraw',
      label: t('withdraw.action'),
      right: withdrawLetter.access,
      danger: true,
      suits: ({ state }) => state === 'valid',
      dialog: ([row], ends) => row && <WithdrawDialog letter={row} {...ends} />,
    },
  ]
  return (
    <DataList
      list={listLetters}
      title={useScreenTitle()}
      searchLabel={t('register.search')}
      rowTitle={({ number, name }) => `${number} · ${name}`}
      href={({ registrationId }) =>
        may('pendaftaran-view') ? `/pendaftaran/${registrationId}?tab=letters` : undefined
      }
      rowActions={actions}
      controls={{
        kind: { kind: 'choice', choices: (kinds?.data ?? []).map(({ code, name }) => ({ value: code, label: name })) },
        batch: { kind: 'custom', control: () => null, chip: () => t('register.ofBatch') },
      }}
      cells={{ state: ({ state }) => <StatusDot tone={letterTones[state]} label={t(`state.${state}`)} /> }}
      empty={{ title: t('register.empty'), text: t('register.emptyText') }}
    />
  )
}

function WithdrawDialog({ letter, ...ends }: { letter: Pick<LetterRow, 'id' | 'number'> } & DialogEnds) {
  const { t } = useTranslation('letters')
  const { id, number } = letter
  return (
    <ReasonDialog
      call={withdrawLetter}
      params={{ id }}
      title={t('withdraw.title', { number })}
      submit={t('withdraw.action')}
      danger
      label={t('withdraw.reason')}
      description={t('withdraw.reasonHelp')}
      done={t('withdraw.done', { number })}
      {...ends}
    >
      <Text>{t('withdraw.text')}</Text>
    </ReasonDialog>
  )
}

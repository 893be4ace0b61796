import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadLetter, withdrawLetter } from '#domain/letters/endpoints.ts'
import { type LetterRow, listLetters } from '#domain/letters/lists.ts'
import { download } from '#web/api/client.ts'
import { useForm } from '#web/api/use-form.ts'
import type { DialogEnds, RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { letterTones } from './tones.ts'

/** Register of letters: print again, or withdraw with a reason. */
export default function RegisterPage() {
  const { t } = useTranslation('letters')
  const { may } = useSession()
  const actions: RowAction<LetterRow>[] = [
    {
      key: 'print',
      label: t('download'),
      main: true,
      run: ({ id, number }) => download(downloadLetter.path.replace(':id', id), `${number.replaceAll('/', '-')}.pdf`),
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
      cells={{ state: ({ state }) => <StatusDot tone={letterTones[state]} label={t(`state.${state}`)} /> }}
      empty={{ title: t('register.empty'), text: t('register.emptyText') }}
    />
  )
}

function WithdrawDialog({ letter, onDone, onClose }: { letter: Pick<LetterRow, 'id' | 'number'> } & DialogEnds) {
  const { t } = useTranslation('letters')
  const [reason, setReason] = useState('')
  const form = useForm({
    call: withdrawLetter,
    params: { id: letter.id },
    body: { reason: reason.trim() },
    done: t('withdraw.done', { number: letter.number }),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm
      form={form}
      title={t('withdraw.title', { number: letter.number })}
      submit={t('withdraw.action')}
      onClose={onClose}
    >
      <Text>{t('withdraw.text')}</Text>
      <ReasonInput
        label={t('withdraw.reason')}
        description={t('withdraw.reasonHelp')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        {...form.field('reason')}
      />
    </DialogForm>
  )
}

import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listProgrammeRequests, type ProgrammeRequestRow } from '#domain/admissions/lists.ts'
import { changeProgramme } from '#domain/admissions/programme-change-endpoints.ts'
import { refuseProgrammeRequest } from '#domain/admissions/programme-request-endpoints.ts'
import { useForm } from '#web/api/use-form.ts'
import type { DialogEnds, RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { ReasonInput } from '#web/ui/form/reason-input.tsx'
import { Difference } from './comparison.tsx'

/** Requests of applicants; granting one opens the comparison of a change with the wish filled in. */
export default function ProgrammeRequestsPage() {
  const { t } = useTranslation('programme-change')
  const { may } = useSession()
  const isPending = ({ status }: ProgrammeRequestRow) => status === 'pending'
  const actions: RowAction<ProgrammeRequestRow>[] = [
    {
      key: 'decide',
      label: t('request.decide'),
      right: changeProgramme.access,
      main: true,
      suits: isPending,
      href: ({ registrationId, programmeId, classProgrammeId }) =>
        `/pindah-prodi/create?registrationId=${registrationId}&to=${programmeId}.${classProgrammeId}`,
    },
    {
      key: 'refuse',
      label: t('request.refuse'),
      right: refuseProgrammeRequest.access,
      danger: true,
      suits: isPending,
      dialog: ([row], ends) => row && <RefuseDialog request={row} {...ends} />,
    },
  ]
  return (
    <DataList
      list={listProgrammeRequests}
      title={useScreenTitle()}
      searchLabel={t('search')}
      cells={{ difference: (row) => <Difference amount={row.difference} /> }}
      rowTitle={({ applicantName, registrationCode }) => `${applicantName} · ${registrationCode}`}
      href={({ registrationId }) => (may('pendaftaran-view') ? `/pendaftaran/${registrationId}` : undefined)}
      rowActions={actions}
      preview
      empty={{ title: t('request.empty'), text: t('request.emptyText') }}
    />
  )
}

function RefuseDialog({ request, onDone, onClose }: { request: ProgrammeRequestRow } & DialogEnds) {
  const { t } = useTranslation('programme-change')
  const [reason, setReason] = useState('')
  const form = useForm({
    call: refuseProgrammeRequest,
    params: { id: request.id },
    body: { reason: reason.trim() },
    done: t('request.refused', { name: request.applicantName }),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm
      form={form}
      title={`${t('request.refuse')}: ${request.applicantName}`}
      submit={t('request.refuse')}
      button={{ color: 'red.9' }}
      onClose={onClose}
    >
      <Text>{t('request.refuseText')}</Text>
      <Text size="sm" c="dimmed">
        {request.reason}
      </Text>
      <ReasonInput
        label={t('form.reason')}
        description={t('form.reasonHelp')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        {...form.field('reason')}
      />
    </DialogForm>
  )
}

import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { approveApplication, refuseApplication } from '#domain/affiliates/endpoints.ts'
import { type ApplicationRow, listApplications } from '#domain/affiliates/lists.ts'
import { useForm } from '#web/api/use-form.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import type { DialogEnds, RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { CommissionTabs } from './commission-tabs.tsx'
import { applicationTones } from './tones.ts'

/** Applications to become an affiliate: approve with a code, or refuse with a reason. */
export default function ApplicationsPage() {
  const { t } = useTranslation('affiliates')
  const pending = ({ status, own }: ApplicationRow) => status === 'pending' && !own
  const actions: RowAction<ApplicationRow>[] = [
    {
      key: 'approve',
      label: t('applications.approve'),
      right: approveApplication.access,
      main: true,
      suits: pending,
      dialog: ([row], ends) => row && <ApproveDialog application={row} {...ends} />,
    },
    {
      key: 'refuse',
      label: t('applications.refuse'),
      right: refuseApplication.access,
      danger: true,
      suits: pending,
      dialog: ([row], ends) =>
        row && (
          <ReasonDialog
            call={refuseApplication}
            params={{ id: row.id }}
            title={t('applications.refuseTitle', { name: row.name })}
            submit={t('applications.refuse')}
            danger
            label={t('applications.refuseReason')}
            done={t('applications.refused')}
            {...ends}
          />
        ),
    },
  ]
  return (
    <>
      <CommissionTabs tab="applications" />
      <DataList
        list={listApplications}
        title={useScreenTitle()}
        searchLabel={t('applications.search')}
        rowTitle={({ name }) => name}
        rowActions={actions}
        cells={{
          status: ({ status }) => <StatusDot tone={applicationTones[status]} label={t(`applicationState.${status}`)} />,
        }}
        empty={{ title: t('applications.empty'), text: t('applications.emptyText') }}
      />
    </>
  )
}

function ApproveDialog({ application: { id, name }, onDone, onClose }: { application: ApplicationRow } & DialogEnds) {
  const { t } = useTranslation('affiliates')
  const form = useForm({
    call: approveApplication,
    params: { id },
    start: { code: '' },
    body: ({ code }) => ({ code: code.trim() }),
    done: t('applications.approved', { name }),
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <DialogForm
      title={t('applications.approveTitle', { name })}
      form={form}
      submit={t('applications.approve')}
      onClose={onClose}
    >
      <Text>{t('applications.approveText')}</Text>
      <TextInput
        label={t('applications.code')}
        description={t('applications.codeHelp')}
        autoCapitalize="characters"
        data-autofocus
        {...form.text('code')}
      />
    </DialogForm>
  )
}

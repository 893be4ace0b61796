import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ProgrammeRequestRow } from '#domain/admissions/lists.ts'
import { refuseProgrammeRequest } from '#domain/admissions/programme-request-endpoints.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import type { DialogEnds } from '#web/list/actions/row-action.ts'

type Props = { request: Pick<ProgrammeRequestRow, 'id' | 'applicantName' | 'reason'> } & DialogEnds

/** Refuses a request with a reason the applicant reads. */
export function RefuseDialog({ request, ...ends }: Props) {
  const { t } = useTranslation('programme-change')
  const { id, applicantName, reason } = request
  return (
    <ReasonDialog
      call={refuseProgrammeRequest}
      params={{ id }}
      title={`${t('request.refuse')}: ${applicantName}`}
      submit={t('request.refuse')}
      danger
      label={t('form.reason')}
      description={t('form.reasonHelp')}
      done={t('request.refused', { name: applicantName })}
      {...ends}
    >
      <Text>{t('request.refuseText')}</Text>
      <Text size="sm" c="dimmed">
        {reason}
      </Text>
    </ReasonDialog>
  )
}

import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { rejectProposal } from '#domain/schools/endpoints.ts'
import type { SchoolProposal } from '#domain/schools/lists.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import type { DialogEnds } from '#web/list/actions/row-action.ts'

/** Asks for the reason for a refusal, and names the applicants who will read it. */
export function RejectProposal({ proposal, ...ends }: { proposal: SchoolProposal } & DialogEnds) {
  const { t } = useTranslation('schools')
  const { id, version, name, applicants } = proposal
  return (
    <ReasonDialog
      call={rejectProposal}
      params={{ id }}
      body={{ version }}
      title={t('proposals.rejectTitle', { name })}
      submit={t('proposals.reject')}
      danger
      label={t('proposals.reason')}
      done={({ data }) => t('proposals.rejected', { count: data.asked })}
      {...ends}
    >
      <Text size="sm">{t('proposals.rejectText', { count: applicants })}</Text>
    </ReasonDialog>
  )
}

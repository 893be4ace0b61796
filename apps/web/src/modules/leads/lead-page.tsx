import { Alert, Anchor, Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { formatPhone } from '#domain/accounts/phone.ts'
import { deleteLead, type FullLead, moveLead, readLead, updateLead } from '#domain/leads/endpoints.ts'
import { actionsFrom, deletionCauses, isOpen, type StaffLeadAction, transitionOf } from '#domain/leads/leads.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useForm } from '#web/api/use-form.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { CallCard } from './call-card.tsx'
import { DuplicatesCard, LinkCard, OriginsCard, PlanCard } from './lead-cards.tsx'
import { EditLeadDialog } from './lead-form.tsx'
import classes from './leads.module.css'
import { NotesCard } from './notes-card.tsx'
import { leadTones } from './tones.ts'

/** A lead: contacts, known facts, consents and activity. */
export default function LeadPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('leads')
  const { may } = useSession()
  const { data, error, refetch } = useEndpoint(readLead, { params: { id } })
  const lead = data?.data
  usePageTitle(lead?.name)
  if (!lead) return <LoadingRecord error={error} onRetry={refetch} rows={6} />
  const mayWrite = may(updateLead.access)
  return (
    <>
      <PageHeader
        title={lead.name}
        description={<StatusDot tone={leadTones[lead.stage]} label={t(`stage.${lead.stage}`)} />}
        actions={mayWrite && <Actions lead={lead} />}
      />
      <Stack>
        <Hints lead={lead} />
        <div className={classes.columns}>
          <Stack>
            {mayWrite && isOpen(lead.stage) && <CallCard key={`call ${id}`} lead={lead} />}
            <Known lead={lead} />
            {mayWrite && <StageCard lead={lead} />}
            {mayWrite && <PlanCard key={`plan ${lead.version}`} lead={lead} />}
          </Stack>
          <Stack>
            <DuplicatesCard lead={lead} />
            <NotesCard lead={lead} />
            {mayWrite && lead.stage !== 'not_interested' && <LinkCard lead={lead} />}
            <OriginsCard lead={lead} />
          </Stack>
        </div>
      </Stack>
    </>
  )
}

function Actions({ lead }: { lead: FullLead }) {
  const { t } = useTranslation('leads')
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => setDialog('delete')}>
        {t('remove.action')}
      </Button>
      <Button variant="default" onClick={() => setDialog('edit')}>
        {t('form.edit')}
      </Button>
      {dialog === 'edit' && <EditLeadDialog lead={lead} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog lead={lead} onClose={close} />}
    </>
  )
}

/** The lead's account, or why it may have one. */
function Hints({ lead: { account, maybe } }: { lead: FullLead }) {
  const { t } = useTranslation('leads')
  if (account)
    return (
      <Alert variant="light" color="green" title={t('detail.signedUp', { name: account.name })}>
        {account.registrationId && (
          <Anchor component={Link} to={`/pendaftaran/${account.registrationId}`}>
            {t('detail.openRegistration', { code: account.code })}
          </Anchor>
        )}
      </Alert>
    )
  if (maybe.length === 0) return null
  return (
    <Alert variant="light" color="yellow" title={t('detail.maybeTitle')}>
      {maybe.map((why) => (
        <Text key={why} size="sm">
          {t(`detail.maybe.${why}`)}
        </Text>
      ))}
    </Alert>
  )
}

function Known({ lead }: { lead: FullLead }) {
  const { t } = useTranslation('leads')
  return (
    <Card title={t('detail.known')}>
      <Facts
        facts={[
          [t('column.phone'), lead.phone && formatPhone(lead.phone)],
          [t('column.email'), lead.email],
          [t('form.birthDate'), lead.birthDate && <DateText key="birth" value={lead.birthDate} />],
          [t('column.school'), lead.school],
          [t('column.major'), lead.major],
          [t('column.programme'), lead.programme],
          [t('form.wish'), lead.wish],
          [t('column.owner'), lead.owner ?? t('nobody')],
          [t('column.nextContactOn'), lead.nextContactOn && <DateText key="next" value={lead.nextContactOn} />],
          [t('detail.since'), <DateText key="since" value={lead.createdAt} />],
          [t('detail.endsAt'), <DateText key="ends" value={lead.endsAt} />],
        ]}
      />
    </Card>
  )
}

/** Stage changes that the transition table allows. */
function StageCard({ lead: { id, stage } }: { lead: FullLead }) {
  const { t } = useTranslation('leads')
  const [isReopening, setReopening] = useState(false)
  const { running, act, actOrThrow } = useAction(keyOf(readLead))
  const params = { id }
  const move = (action: StaffLeadAction) => () => sendOnce(moveLead, { params, body: { action, reason: null } })
  const moved = (action: StaffLeadAction) => () => t('detail.moved', { stage: t(`stage.${transitionOf(action).to}`) })
  return (
    <Card title={t('detail.stage')}>
      <Group gap="xs">
        {actionsFrom(stage).map((action) => {
          const label = t(`action.${action}`)
          if (action === 'decline')
            return (
              <ConfirmButton
                key={action}
                variant="default"
                danger
                message={t('detail.declineText')}
                onConfirm={() => actOrThrow(action, move(action), moved(action))}
              >
                {label}
              </ConfirmButton>
            )
          return (
            <Button
              key={action}
              variant="default"
              loading={running === action}
              onClick={() => (action === 'reopen' ? setReopening(true) : act(action, move(action), moved(action)))}
            >
              {label}
            </Button>
          )
        })}
      </Group>
      {isReopening && (
        <ReasonDialog
          call={moveLead}
          params={params}
          body={{ action: 'reopen' }}
          title={t('detail.reopenTitle')}
          submit={t('action.reopen')}
          label={t('detail.reopenReason')}
          description={t('detail.reopenHelp')}
          done={moved('reopen')()}
          onClose={() => setReopening(false)}
        />
      )}
    </Card>
  )
}

function DeleteDialog({ lead: { id, name }, onClose }: { lead: FullLead; onClose: () => void }) {
  const { t } = useTranslation('leads')
  const navigate = useNavigate()
  const form = useForm({
    call: deleteLead,
    params: { id },
    start: { cause: null as (typeof deletionCauses)[number] | null },
    done: t('remove.done'),
    onDone: () => void navigate('/marketing/prospek', { replace: true }),
  })
  return (
    <DialogForm
      title={t('remove.title', { name })}
      form={form}
      submit={t('remove.action')}
      button={{ color: 'red.9' }}
      onClose={onClose}
    >
      <Text>{t('remove.text')}</Text>
      <Radio.Group label={t('remove.cause')} {...form.value('cause')}>
        <Stack gap="xs" mt="xs">
          {deletionCauses.map((value) => (
            <Radio key={value} value={value} label={t(`remove.causes.${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  )
}

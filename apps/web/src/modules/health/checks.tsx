import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ConnectionCheck } from '#domain/health/connection-checks.ts'
import { type CheckOutcome, checkConnection, checkMailDomain, readChecks, testMail } from '#domain/health/endpoints.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { BanksCard } from './banks-card.tsx'
import { CheckCard } from './check-card.tsx'
import classes from './health.module.css'

/** Connection checks; refetched every five seconds, so that a bank's first call appears without a reload. */
export function Checks() {
  const { t } = useTranslation('health')
  const { may } = useSession()
  const { data, error, refetch } = useEndpoint(readChecks, {}, { refetchInterval: 5_000 })
  if (!data) return <LoadingOrFailed error={error} onRetry={refetch} rows={6} what={t('checks')} />
  const { mail, checks, banks } = data.data
  const outcomeOf = (name: ConnectionCheck) => checks.find((check) => check.name === name)
  const mayCheck = may('settings-health-update')
  return (
    <>
      <CheckCard
        name="mail"
        text={t('checkTexts.mail', { from: mail.from, host: mail.host ?? t('noServer') })}
        outcome={outcomeOf('mail')}
      >
        {mayCheck && <MailForm />}
      </CheckCard>
      <CheckCard
        name="mail-domain"
        text={t('checkTexts.mail-domain', { from: mail.from })}
        outcome={outcomeOf('mail-domain')}
      >
        {mayCheck && <DomainForm />}
      </CheckCard>
      <BanksCard banks={banks} />
      <div className={classes.column}>
        {(['storage', 'time', 'backup'] as const).map((name) => (
          <CheckCard key={name} name={name} text={t(`checkTexts.${name}`)} outcome={outcomeOf(name)}>
            {mayCheck && <CheckButton name={name} />}
          </CheckCard>
        ))}
      </div>
    </>
  )
}

function MailForm() {
  const { t } = useTranslation('health')
  const { user } = useSession()
  const form = useForm({ call: testMail, start: { to: user?.email ?? '' } })
  return (
    <PageForm form={form} submit={t('send')} button={{ variant: 'default' }}>
      <TextInput type="email" label={t('to')} {...form.text('to')} />
    </PageForm>
  )
}

function DomainForm() {
  const { t } = useTranslation('health')
  const form = useForm({ call: checkMailDomain, start: { selector: '' } })
  return (
    <PageForm form={form} submit={t('look')} button={{ variant: 'default' }}>
      <TextInput label={t('selector')} placeholder="google" {...form.text('selector')} />
    </PageForm>
  )
}

function CheckButton({ name }: { name: 'storage' | 'time' | 'backup' }) {
  const { t } = useTranslation('health')
  const { act, running } = useAction(keyOf(readChecks))
  const check = (): Promise<{ data: CheckOutcome }> => sendOnce(checkConnection, { params: { name } })
  return (
    <div>
      <Button
        variant="default"
        loading={running !== undefined}
        onClick={() => act('check', check)}
        aria-label={`${t('check')}: ${t(`checkNames.${name}`)}`}
      >
        {t('check')}
      </Button>
    </div>
  )
}

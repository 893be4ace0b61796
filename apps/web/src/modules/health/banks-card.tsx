import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type BankStanding, readChecks } from '#domain/health/endpoints.ts'
import { checkProvider } from '#domain/payments/providers/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './health.module.css'
import { StateDot } from './state-dot.tsx'

/** Last contact with each bank; before its first signed call, the set-up steps. */
export function BanksCard({ banks }: { banks: readonly BankStanding[] }) {
  const { t } = useTranslation('health')
  const { may } = useSession()
  return (
    <Card title={t('banks')}>
      <Stack gap="md" id="check-banks">
        <Text size="sm" c="dimmed">
          {banks.length > 0 ? t('banksText') : t('banksNone')}
        </Text>
        {banks.length === 0 && may('settings-providers-create') && (
          <Anchor component={Link} to="/settings/providers/create" children={t('addBank')} />
        )}
        <ul className={classes.lines} aria-live="polite">
          {banks.map((bank) => (
            <Bank key={bank.id} bank={bank} />
          ))}
        </ul>
      </Stack>
    </Card>
  )
}

function Bank({ bank }: { bank: BankStanding }) {
  const { t } = useTranslation('health')
  const { may } = useSession()
  const { language } = useSurroundings()
  const { act, running } = useAction(keyOf(readChecks))
  const { id, name, active, canCheck, answeredAt, unanswered, verifiedAt, refused } = bank
  const isRefusedLast = refused !== null && (verifiedAt === null || refused.at > verifiedAt)
  const state = unanswered || isRefusedLast ? 'red' : verifiedAt ? 'ok' : 'soon'
  return (
    <li className={classes.line}>
      <div className={classes.head}>
        <Text fw={600}>
          {name}
          {!active && ` (${t('bankOff')})`}
        </Text>
        <StateDot state={state} />
      </div>
      {canCheck && (
        <Text size="sm">
          {answeredAt ? t('bank.answered', { at: dateTime(answeredAt, language) }) : t('bank.neverAnswered')}
        </Text>
      )}
      {unanswered && (
        <Text size="sm" className={classes.says}>
          {t('bank.unanswered', { at: dateTime(unanswered.at, language), problem: unanswered.problem || t('unknown') })}
        </Text>
      )}
      {refused && (
        <Text size="sm">
          {t('bank.refused', { at: dateTime(refused.at, language), reason: t(`refusals.${refused.outcome}`) })}
        </Text>
      )}
      <Text size="sm">
        {verifiedAt ? t('bank.verified', { at: dateTime(verifiedAt, language) }) : t('bank.neverVerified')}
      </Text>
      {!verifiedAt && (
        <ol className={classes.steps}>
          {(['addresses', 'keys', 'ask'] as const).map((step) => (
            <li key={step}>
              <Text size="sm">{t(`bankSteps.${step}`)}</Text>
            </li>
          ))}
        </ol>
      )}
      <Group gap="md">
        {may('settings-providers-view') && (
          <Anchor component={Link} size="sm" to={`/settings/providers/${id}/view`} children={t('openBank')} />
        )}
        {canCheck && may('settings-providers-update') && (
          <Button
            size="compact-md"
            variant="default"
            loading={running !== undefined}
            onClick={() =>
              act(
                'ask',
                () => sendOnce(checkProvider, { params: { id } }),
                () => t('askedBank'),
              )
            }
          >
            {t('askBank')}
          </Button>
        )}
      </Group>
    </li>
  )
}

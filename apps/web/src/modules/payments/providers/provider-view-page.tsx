import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { checkProvider, type ProviderDetail, readProvider } from '#domain/payments/providers/endpoints.ts'
import { dateTime, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Copied } from '#web/ui/text/copied.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { KeysCard } from './keys-card.tsx'
import { PendingConnectionNotice } from './pending-connection-notice.tsx'
import classes from './providers.module.css'
import { StandingDot } from './standing-dot.tsx'
import { useProviderAction } from './use-provider-action.ts'

/** State of a connection, keys for the bank and remaining numbers. */
export default function ProviderViewPage() {
  const { t } = useTranslation('providers')
  const { id = '' } = useParams()
  const { may } = useSession()
  const { data, error, refetch } = useEndpoint(readProvider, { params: { id } }, { refetchInterval: 30_000 })
  const provider = data?.data
  usePageTitle(provider?.name)
  if (!provider) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  return (
    <>
      <PageHeader
        title={provider.name}
        description={
          <Group gap="sm" component="span">
            <StandingDot standing={provider.standing} />
            <span>{t(`kinds.${provider.kind}`)}</span>
          </Group>
        }
        actions={
          may('settings-providers-update') &&
          !provider.pending && (
            <Button
              component={Link}
              to={`/settings/providers/${id}`}
              variant="default"
              leftSection={<IconPencil size={18} aria-hidden />}
            >
              {t('edit')}
            </Button>
          )
        }
      />
      {provider.pending && <PendingConnectionNotice connection={provider.pending} providerId={id} />}
      <div className={classes.layout}>
        <Stack gap={20}>
          <StateCard provider={provider} />
          <BanksCard provider={provider} />
        </Stack>
        <Stack gap={20}>
          <Card title={t('addresses')}>
            <Stack gap="md">
              <Text size="sm" c="dimmed">
                {t('addressesHelp')}
              </Text>
              {provider.addresses.map(({ name, url }) => (
                <Copied key={name} label={t(`addressNames.${name}`)} value={url} />
              ))}
            </Stack>
          </Card>
          {provider.snap && <KeysCard provider={provider} snap={provider.snap} />}
        </Stack>
      </div>
    </>
  )
}

function StateCard({ provider }: { provider: ProviderDetail }) {
  const { t } = useTranslation('providers')
  const { may } = useSession()
  const { language } = useSurroundings()
  const { act, running } = useProviderAction(provider.id)
  const { active, problem, problemAt, problemDetail, checkedAt, leftAlone, unheard, canCheck } = provider
  const check = () =>
    act(
      'check',
      () => sendOnce(checkProvider, { params: { id: provider.id } }),
      ({ data }) => (data.problem ? undefined : t('checked')),
    )
  return (
    <Card title={t('standing')}>
      <Stack gap="md">
        {!active && <Text>{t('state.inactive')}</Text>}
        {!problem && (
          <Text role="status">
            {checkedAt ? t('state.checked', { at: dateTime(checkedAt, language) }) : t('state.unchecked')}
          </Text>
        )}
        {problem && (
          <Alert color="orange" variant="light" role="status">
            <Text fw={600}>{t(`problems.${problem as 'refused'}`, { defaultValue: problem })}</Text>
            {problemDetail && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {problemDetail}
              </Text>
            )}
            {problemAt && <Text size="sm">{t('problemSince', { at: dateTime(problemAt, language) })}</Text>}
          </Alert>
        )}
        {unheard.map(({ outcome, count, lastAt }) => (
          <Alert key={outcome} color="orange" variant="light" role="status">
            <Text fw={600}>{t(`unheard.${outcome}`, { number: wholeNumber(count) })}</Text>
            <Text size="sm">{t(`unheardHelp.${outcome}`)}</Text>
            <Text size="sm">{t('unheardLast', { at: dateTime(lastAt, language) })}</Text>
          </Alert>
        ))}
        <Text size="sm">
          {t('maximumAmount')}: <Money amount={provider.maximumAmount} />
        </Text>
        {leftAlone && <Alert color="orange" variant="light" children={t('state.leftAlone')} />}
        {may('settings-providers-update') && (
          <Group>
            <DisabledReason
              reason={canCheck ? null : t('nothingToCheck')}
              loading={running === 'check'}
              onClick={check}
            >
              {t('check')}
            </DisabledReason>
          </Group>
        )}
      </Stack>
    </Card>
  )
}

function BanksCard({ provider: { banks } }: { provider: ProviderDetail }) {
  const { t } = useTranslation('providers')
  const lowBanks = banks.filter((bank) => bank.low)
  return (
    <Card title={t('banks')}>
      <Stack gap="md">
        {lowBanks.length > 0 && (
          <Alert color="orange" variant="light" role="status">
            {t('low', { banks: lowBanks.map(({ name }) => name).join(', ') })}
          </Alert>
        )}
        {banks.map((bank) => (
          <div key={bank.id}>
            <Text fw={600}>
              {bank.name}
              {!bank.active && ` (${t('bank.notOffered')})`}
            </Text>
            <Text size="sm">{t(`amountTypes.${bank.amountType}`)}</Text>
            <Text size="sm" c="dimmed" className="tabular">
              {bank.remaining === null
                ? t('bank.madeThere')
                : t('bank.use', {
                    prefix: bank.prefix,
                    used: wholeNumber(bank.used),
                    remaining: wholeNumber(bank.remaining),
                  })}
            </Text>
          </div>
        ))}
      </Stack>
    </Card>
  )
}

import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type OwnAffiliate, readOwnAffiliate } from '#domain/affiliates/endpoints.ts'
import { listOwnCommission, listReferred } from '#domain/affiliates/lists.ts'
import { longDate, percent, rupiah, shortDate, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './affiliates.module.css'
import { ApplyForm } from './apply-form.tsx'
import { OwnPageForm } from './own-page-form.tsx'
import { QrPicture } from './qr-picture.tsx'
import { ShareButton } from './share-button.tsx'

/** An affiliate's link, people, commission, vouchers and payouts; other users can apply to become one. */
export default function OwnPage() {
  const { t } = useTranslation('affiliates')
  const { language } = useSurroundings()
  const title = useScreenTitle()
  const answer = useEndpoint(readOwnAffiliate)
  const data = answer.data?.data
  if (!data) return <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={8} />
  const { affiliate, application } = data
  return (
    <>
      <PageHeader title={title} description={affiliate ? `${affiliate.name} · ${affiliate.code}` : undefined} />
      {affiliate ? (
        <Own affiliate={affiliate} />
      ) : (
        <Stack maw={640}>
          {application?.status === 'pending' ? (
            <Alert color="blue" variant="light" role="status">
              {t('own.waits', { date: longDate(application.createdAt, language) })}
            </Alert>
          ) : (
            <>
              {application?.status === 'refused' && (
                <Alert color="orange" variant="light">
                  {t('own.refused', { note: application.note })}
                </Alert>
              )}
              <ApplyForm />
            </>
          )}
        </Stack>
      )}
    </>
  )
}

const tones = {
  started: 'waiting',
  submitted: 'progress',
  paid: 'progress',
  enrolled: 'done',
  closed: 'stopped',
} as const

function Own({ affiliate }: { affiliate: OwnAffiliate }) {
  const { t } = useTranslation('affiliates')
  const { balance } = affiliate
  return (
    <Stack>
      <Figures affiliate={affiliate} />
      {balance.held > 0 && <Text c="dimmed">{t('own.heldText')}</Text>}
      {balance.balance < 0 && (
        <Alert color="orange" variant="light">
          {t('own.negative')}
        </Alert>
      )}
      <div className={classes.columns}>
        <LinkCard affiliate={affiliate} />
        <Stack>
          <RulesCard affiliate={affiliate} />
          <VouchersCard affiliate={affiliate} />
          <PayoutsCard affiliate={affiliate} />
        </Stack>
      </div>
      <ListCard
        list={listReferred}
        prefix="p."
        title={t('own.people')}
        rowTitle={({ name }) => name}
        cells={{ stage: ({ stage }) => <StatusDot tone={tones[stage]} label={t(`referredStage.${stage}`)} /> }}
        empty={{ title: t('own.peopleEmpty'), text: t('own.peopleText') }}
      />
      <ListCard
        list={listOwnCommission}
        prefix="k."
        title={t('own.commission')}
        rowTitle={({ person, kind }) => person ?? t(`kindOfEntry.${kind}`)}
        empty={{ title: t('own.commissionEmpty'), text: t('own.commissionText') }}
      />
      <Card title={t('own.edit')}>
        <OwnPageForm key={affiliate.version} affiliate={affiliate} />
      </Card>
    </Stack>
  )
}

function Figures({ affiliate: { people, balance } }: { affiliate: OwnAffiliate }) {
  const { t } = useTranslation('affiliates')
  const counts = (['touches', 'started', 'submitted', 'enrolled'] as const).map(
    (key) => [key, wholeNumber(people[key])] as const,
  )
  const sums = (['balance', 'payable', 'held'] as const).map((key) => [key, rupiah(balance[key])] as const)
  return (
    <Card>
      <dl className={classes.figures}>
        {[...counts, ...sums].map(([key, value]) => (
          <div key={key}>
            <dt>{t(`own.figures.${key}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function LinkCard({ affiliate: { link, qr, name, path, public: isPublic } }: { affiliate: OwnAffiliate }) {
  const { t } = useTranslation('affiliates')
  return (
    <Card title={t('own.shareTitle')}>
      <Stack align="flex-start">
        <Text>{t('own.shareText')}</Text>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {link}
        </Text>
        <ShareButton link={link} title={name} label={t('own.share')} copied={t('own.copied')} />
        <QrPicture qr={qr} label={t('own.qr')} />
        {isPublic ? (
          <Anchor component={Link} to={`/afiliator/${path}`}>
            {t('own.open')}
          </Anchor>
        ) : (
          <Text c="dimmed">{t('own.hidden')}</Text>
        )}
      </Stack>
    </Card>
  )
}

function RulesCard({ affiliate: { rules } }: { affiliate: OwnAffiliate }) {
  const { t } = useTranslation('affiliates')
  return (
    <Card title={t('own.rules')}>
      {rules.length === 0 ? (
        <Text>{t('own.noRules')}</Text>
      ) : (
        <ul className={classes.lines}>
          {rules.map(({ stage, amount, shareBps }) => (
            <li key={stage}>
              {amount === null
                ? t('own.ruleShare', { percent: percent((shareBps ?? 0) / 10_000), stage: t(`stage.${stage}`) })
                : t('own.ruleAmount', { amount: rupiah(amount), stage: t(`stage.${stage}`) })}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function VouchersCard({ affiliate: { vouchers } }: { affiliate: OwnAffiliate }) {
  const { t } = useTranslation('affiliates')
  const { language } = useSurroundings()
  return (
    <Card title={t('own.vouchers')}>
      {vouchers.length === 0 ? (
        <Text>{t('own.noVouchers')}</Text>
      ) : (
        <ul className={classes.lines}>
          {vouchers.map(({ code, discount, uses, maxUses, validTo }) => (
            <li key={code}>
              <span>
                <strong>{code}</strong> · {discount}
              </span>
              <Text span size="sm" c="dimmed">
                {maxUses === null ? t('own.voucherUses', { uses }) : t('own.voucherLimit', { uses, most: maxUses })}
                {validTo && `, ${t('own.until', { date: shortDate(validTo, language) })}`}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function PayoutsCard({ affiliate: { payouts, bank } }: { affiliate: OwnAffiliate }) {
  const { t } = useTranslation('affiliates')
  const { language } = useSurroundings()
  return (
    <Card title={t('own.payouts')}>
      <Stack gap="xs">
        <Text>{bank ? t('own.bank', { bank }) : t('own.noBank')}</Text>
        {payouts.length === 0 && <Text c="dimmed">{t('own.noPayouts')}</Text>}
        <ul className={classes.lines}>
          {payouts.map(({ number, status, line, amount, tax, at }) => (
            <li key={number}>
              <span>
                {shortDate(at, language)} ·{' '}
                {line === 'returned' ? t('payoutLine.returned') : t(`payoutState.${status}`)}
              </span>
              <span>
                <Money amount={amount} />
                {tax > 0 && ` (${t('own.taxed', { tax: rupiah(tax) })})`}
              </span>
            </li>
          ))}
        </ul>
      </Stack>
    </Card>
  )
}

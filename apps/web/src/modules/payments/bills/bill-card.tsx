import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { BillView } from '#domain/payments/bills/endpoints.ts'
import { longDate } from '#locales/format.ts'
import { Card } from '#web/ui/card.tsx'
import { Entries, Entry } from '#web/ui/entries.tsx'
import { Money } from '#web/ui/text/money.tsx'
import quiet from '#web/ui/text/quiet.module.css'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './bills.module.css'
import { billTone, deadline, installmentState, promiseTone } from './words.ts'

/** Lines of a bill, the paid sum and the instalment plan. */
export function BillCard({ bill, children }: { bill: BillView; children?: ReactNode }) {
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  return (
    <Card
      title={`${t(`kind.${bill.kind}`)} · ${bill.number}`}
      actions={
        <StatusDot
          tone={billTone(bill)}
          label={bill.overdue ? `${t(`billStatus.${bill.status}`)}, ${t('overdue')}` : t(`billStatus.${bill.status}`)}
        />
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('bill.issued', { date: longDate(bill.issuedAt, language) })}
        </Text>
        {bill.promise && (
          <StatusDot
            tone={promiseTone(bill.promise.state)}
            label={t(`promise.by.${bill.promise.state}`, { due: deadline(bill.promise.until, language) })}
          />
        )}
        <dl className={classes.lines}>
          {bill.lines.map((line, index) => (
            <div className={classes.line} key={index}>
              <dt>
                {(language === 'en' && line.nameEn) || line.description}
                {line.explanation && (
                  <span className={quiet.text} style={{ display: 'block' }}>
                    {(language === 'en' && line.explanationEn) || line.explanation}
                  </span>
                )}
              </dt>
              <dd>
                <Money amount={line.amount} />
              </dd>
            </div>
          ))}
          <div className={`${classes.line} ${classes.strong}`}>
            <dt>{t('bill.total')}</dt>
            <dd>
              <Money amount={bill.total} />
            </dd>
          </div>
          {bill.paid > 0 && (
            <>
              <div className={classes.line}>
                <dt>{t('bill.paid')}</dt>
                <dd>
                  <Money amount={bill.paid} />
                </dd>
              </div>
              <div className={`${classes.line} ${classes.strong}`}>
                <dt>{t('bill.remaining')}</dt>
                <dd>
                  <Money amount={bill.total - bill.paid} />
                </dd>
              </div>
            </>
          )}
        </dl>
        {bill.installments.length > 0 && (
          <div>
            <Text fw={600}>{t('bill.instalments')}</Text>
            <Entries>
              {bill.installments.map((part) => {
                const state = installmentState(part)
                return (
                  <Entry
                    key={part.id}
                    title={t('bill.instalment', { position: part.position })}
                    end={<Money amount={part.amount} />}
                    details={`${t('bill.due')} ${deadline(part.dueAt, language)}`}
                    detailsEnd={<StatusDot tone={state.tone} label={t(state.key)} />}
                  />
                )
              })}
            </Entries>
          </div>
        )}
        {children}
      </Stack>
    </Card>
  )
}

import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowRight, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProgrammeChangePreview } from '#domain/admissions/programme-change-endpoints.ts'
import { rupiah, shortDate } from '#locales/format.ts'
import { Card } from '#web/ui/card.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './comparison.module.css'

/** A difference with its sign, so that colour is not the only mark. */
export function Difference({ amount }: { amount: number }) {
  return (
    <span className="tabular" style={{ whiteSpace: 'nowrap' }}>
      {amount > 0 ? '+' : amount < 0 ? '−' : ''}
      {amount === 0 ? '—' : rupiah(Math.abs(amount))}
    </span>
  )
}

/** Both sides of a change: place, bill by line, instalments and side effects. */
export function Comparison({ change }: { change: ProgrammeChangePreview }) {
  const { t } = useTranslation('programme-change')
  const { problems, money } = change
  const [firstProblem] = problems
  return (
    <Stack gap="md">
      {firstProblem && (
        <Alert color="red" variant="light" role="alert" title={t('form.cannot')}>
          {problems.length === 1 ? (
            firstProblem.message
          ) : (
            <ul style={{ margin: 0, paddingInlineStart: 20 }}>
              {problems.map(({ code, message }) => (
                <li key={code}>{message}</li>
              ))}
            </ul>
          )}
        </Alert>
      )}
      <Card title={t('compare.title')}>
        <Stack gap="lg">
          <div className={classes.places}>
            <Place side={change.from} label={t('compare.now')} />
            <IconArrowRight size={22} aria-hidden="true" />
            <Place side={change.to} label={t('compare.later')} />
          </div>
          <Verdict change={change} />
          <Lines money={money} />
          {(money.before.installments.length > 0 || money.after.installments.length > 0) && <Parts money={money} />}
        </Stack>
      </Card>
      <Besides change={change} />
    </Stack>
  )
}

function Place({ side, label }: { side: ProgrammeChangePreview['from']; label: string }) {
  const { t } = useTranslation('programme-change')
  return (
    <div className={classes.place}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={650}>{side.programme.name}</Text>
      <Text size="sm">{side.classProgramme.name}</Text>
      {side.capacity !== null && (
        <Text size="sm" c="dimmed">
          {t('compare.places', { taken: side.taken, capacity: side.capacity })}
        </Text>
      )}
    </div>
  )
}

/** The total difference in one sentence, and the effect on the bill. */
function Verdict({ change: { money } }: { change: ProgrammeChangePreview }) {
  const { t } = useTranslation('programme-change')
  const { difference, bill, before } = money
  const amount = rupiah(Math.abs(difference))
  return (
    <div>
      <Text fw={650} size="lg">
        {difference > 0
          ? t('compare.dearer', { amount })
          : difference < 0
            ? t('compare.cheaper', { amount })
            : t('compare.equal')}
      </Text>
      <Text size="sm" c="dimmed">
        {bill === 'none' ? t('compare.noBill') : t(`compare.${bill}`, { number: before.number })}
      </Text>
    </div>
  )
}

type MoneyComparison = ProgrammeChangePreview['money']

function Lines({ money }: { money: MoneyComparison }) {
  const { t } = useTranslation('programme-change')
  const { lines, before, after, difference, waiting, bill } = money
  return (
    <div role="table" aria-label={t('compare.title')}>
      <Row
        head
        name={t('compare.component')}
        now={t('compare.now')}
        later={t('compare.later')}
        change={t('compare.change')}
      />
      {lines.map((line) => (
        <Row
          key={line.key}
          name={line.description}
          now={<Sum amount={line.before} />}
          later={<Sum amount={line.after} />}
          change={<Difference amount={line.after - line.before} />}
        />
      ))}
      <Row
        total
        name={t('compare.total')}
        now={<Money amount={before.total} />}
        later={<Money amount={after.total} />}
        change={<Difference amount={difference} />}
      />
      {bill !== 'none' && (
        <>
          <Row
            name={t('compare.paid')}
            now={<Money amount={before.paid} />}
            later={<Money amount={after.paid} />}
            change={<Difference amount={after.paid - before.paid} />}
          />
          <Row
            name={t('compare.rest')}
            now={<Money amount={before.total - before.paid} />}
            later={<Money amount={after.total - after.paid} />}
            change={<Difference amount={after.total - after.paid - (before.total - before.paid)} />}
          />
        </>
      )}
      {waiting > 0 && (
        <Row
          total
          name={t('compare.tooMuch')}
          now={<Sum amount={0} />}
          later={<Money amount={waiting} />}
          change={<Difference amount={waiting} />}
        />
      )}
    </div>
  )
}

const Sum = ({ amount }: { amount: number }) => (amount === 0 ? '—' : <Money amount={amount} />)

type RowProps = {
  name: ReactNode
  now: ReactNode
  later: ReactNode
  change: ReactNode
  head?: boolean
  total?: boolean
}

function Row({ name, now, later, change, head, total }: RowProps) {
  const role = head ? 'columnheader' : 'cell'
  const row = [classes.row, head && classes.head, total && classes.total].filter(Boolean).join(' ')
  return (
    <div role="row" className={row}>
      <div role={head ? role : 'rowheader'} className={classes.name}>
        {name}
      </div>
      <div role={role} className={`${classes.amount} ${classes.now}`}>
        {now}
      </div>
      <div role={role} className={`${classes.amount} ${classes.later}`}>
        {later}
      </div>
      <div role={role} className={`${classes.amount} ${classes.change}`}>
        {change}
      </div>
    </div>
  )
}

function Parts({ money }: { money: MoneyComparison }) {
  const { t } = useTranslation('programme-change')
  const { language } = useSurroundings()
  const renderSide = (title: string, parts: MoneyComparison['before']['installments']) => (
    <div>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <ol className={classes.parts}>
        {parts.map((part) => (
          <li key={part.position}>
            <Text size="sm">
              {part.position}. <Money amount={part.amount} />
            </Text>
            <Text size="sm" c="dimmed">
              {t('compare.due', { date: shortDate(part.dueAt, language) })}
            </Text>
            {part.paid > 0 && (
              <Text size="sm" c="dimmed">
                {t('compare.paidPart', { amount: rupiah(part.paid) })}
              </Text>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
  return (
    <div>
      <Text fw={650} mb={4}>
        {t('compare.plan', { plan: money.plan ?? '' })}
      </Text>
      <div className={classes.sides}>
        {renderSide(t('compare.now'), money.before.installments)}
        {renderSide(t('compare.later'), money.after.installments)}
      </div>
    </div>
  )
}

function Besides({ change: { notes, fee } }: { change: ProgrammeChangePreview }) {
  const { t } = useTranslation('programme-change')
  const feeNote =
    fee.effect === 'settled'
      ? t('compare.feeSettled', { amount: rupiah(fee.after) })
      : fee.effect === 'anew'
        ? t('compare.feeAnew', { before: rupiah(fee.before), after: rupiah(fee.after) })
        : null
  const allNotes = [
    ...(feeNote ? [{ code: 'fee', warning: fee.effect === 'anew', message: feeNote }] : []),
    ...notes.toSorted((a, b) => Number(b.warning) - Number(a.warning)),
  ]
  if (allNotes.length === 0) return null
  return (
    <Card title={t('compare.besides')}>
      <ul className={classes.notes}>
        {allNotes.map(({ code, warning, message }) => (
          <li key={`${code}-${message}`}>
            {warning ? (
              <IconAlertTriangle size={18} color="var(--mantine-color-orange-7)" aria-hidden="true" />
            ) : (
              <IconInfoCircle size={18} color="var(--mantine-color-dimmed)" aria-hidden="true" />
            )}
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

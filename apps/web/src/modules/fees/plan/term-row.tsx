import { ActionIcon, Group, NumberInput, SegmentedControl } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import { MoneyInput } from '#web/ui/form/money-input.tsx'
import classes from './plan-terms.module.css'
import type { Term } from './use-terms.ts'

type FieldProps = {
  term: Term
  index: number
  readOnly: boolean
  problem: (...fields: string[]) => string | undefined
  onChange: (next: Partial<Term>) => void
}

type MovesProps = { index: number; isLast: boolean; onMove: (steps: number) => void; onRemove: () => void }

type Props = FieldProps &
  MovesProps & {
    /** Share not used by the other terms, in basis points. */
    leftShare: number
  }

/** One term of a plan: share or amount, and due date. */
export function TermRow({ leftShare, isLast, onMove, onRemove, ...field }: Props) {
  return (
    <li className={classes.term}>
      <span className={classes.number}>{field.index + 1}</span>
      <ShareOrAmount leftShare={leftShare} {...field} />
      <DueDay {...field} />
      {!field.readOnly && <Moves index={field.index} isLast={isLast} onMove={onMove} onRemove={onRemove} />}
    </li>
  )
}

function ShareOrAmount({ term, index, leftShare, readOnly, problem, onChange }: FieldProps & { leftShare: number }) {
  const { t } = useTranslation('fees')
  return (
    <div className={classes.part}>
      <SegmentedControl
        size="xs"
        aria-label={t('terms.partOf', { number: index + 1 })}
        disabled={readOnly}
        value={term.amount === null ? 'share' : 'amount'}
        onChange={(kind) =>
          onChange(
            kind === 'share' ? { amount: null, shareBps: leftShare || null } : { shareBps: null, amount: 1_000_000 },
          )
        }
        data={[
          { value: 'share', label: t('terms.share') },
          { value: 'amount', label: t('terms.amount') },
        ]}
      />
      {term.amount === null ? (
        <NumberInput
          size="sm"
          aria-label={t('terms.shareOf', { number: index + 1 })}
          value={term.shareBps === null ? '' : term.shareBps / 100}
          onChange={(input) => onChange({ shareBps: input === '' ? null : Math.round(Number(input) * 100) || null })}
          readOnly={readOnly}
          min={0}
          max={100}
          clampBehavior="none"
          decimalScale={2}
          suffix=" %"
          hideControls
          error={problem('shareBps', 'amount')}
        />
      ) : (
        <MoneyInput
          size="sm"
          aria-label={t('terms.amountOf', { number: index + 1 })}
          value={term.amount}
          onChange={(amount) => onChange({ amount })}
          readOnly={readOnly}
          error={term.amount < 1 ? t('terms.problems.amount') : problem('shareBps', 'amount')}
        />
      )}
    </div>
  )
}

function DueDay({ term, index, readOnly, problem, onChange }: FieldProps) {
  const { t } = useTranslation('fees')
  return (
    <div className={classes.part}>
      <SegmentedControl
        size="xs"
        aria-label={t('terms.dueOf', { number: index + 1 })}
        disabled={readOnly}
        value={term.dueDate === null ? 'days' : 'date'}
        onChange={(kind) =>
          onChange(
            kind === 'days'
              ? { dueDate: null, dueDays: 30 * index + 7 }
              : {
                  dueDays: null,
                  dueDate: shiftDay(universityCalendar().dayOf(new Date()), 30 * index),
                },
          )
        }
        data={[
          { value: 'days', label: t('terms.days') },
          { value: 'date', label: t('terms.date') },
        ]}
      />
      {term.dueDate === null ? (
        <NumberInput
          size="sm"
          aria-label={t('terms.daysOf', { number: index + 1 })}
          value={term.dueDays ?? ''}
          onChange={(input) => onChange({ dueDays: input === '' ? null : Number(input) })}
          readOnly={readOnly}
          min={0}
          max={3650}
          allowDecimal={false}
          suffix={t('terms.daysSuffix')}
          hideControls
          error={problem('dueDays', 'dueDate')}
        />
      ) : (
        <DatePickerInput
          size="sm"
          aria-label={t('terms.dateOf', { number: index + 1 })}
          value={term.dueDate}
          onChange={(date) => onChange({ dueDate: date })}
          readOnly={readOnly}
          error={problem('dueDays', 'dueDate')}
        />
      )}
    </div>
  )
}

function Moves({ index, isLast, onMove, onRemove }: MovesProps) {
  const { t } = useTranslation('fees')
  return (
    <Group gap={4} wrap="nowrap" className={classes.moves}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        disabled={index === 0}
        aria-label={t('terms.up', { number: index + 1 })}
        onClick={() => onMove(-1)}
      >
        <IconArrowUp size={18} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        disabled={isLast}
        aria-label={t('terms.down', { number: index + 1 })}
        onClick={() => onMove(1)}
      >
        <IconArrowDown size={18} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="red"
        size={36}
        aria-label={t('terms.remove', { number: index + 1 })}
        onClick={onRemove}
      >
        <IconTrash size={18} aria-hidden="true" />
      </ActionIcon>
    </Group>
  )
}

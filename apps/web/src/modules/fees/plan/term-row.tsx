import { ActionIcon, Group, NumberInput, SegmentedControl } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import { DatePickerInput } from '#web/ui/form/dates.ts'
import { MoneyInput } from '#web/ui/form/money-input.tsx'
import type { Term } from './edited-terms.ts'
import classes from './plan-terms.module.css'

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

type SwitchProps = {
  label: string
  /** Names of the two kinds, by value. */
  kinds: Record<string, string>
  kind: string
  readOnly: boolean
  onChange: (kind: string) => void
  children: ReactNode
}

/** Selects one of two kinds, such as share or amount, with the input of the selected kind. */
const KindSwitch = ({ label, kinds, kind, readOnly, onChange, children }: SwitchProps) => (
  <div className={classes.part}>
    <SegmentedControl
      size="xs"
      aria-label={label}
      disabled={readOnly}
      value={kind}
      onChange={onChange}
      data={Object.entries(kinds).map(([value, name]) => ({ value, label: name }))}
    />
    {children}
  </div>
)

function ShareOrAmount({ term, index, leftShare, readOnly, problem, onChange }: FieldProps & { leftShare: number }) {
  const { t } = useTranslation('fees')
  const number = index + 1
  const input = { size: 'sm', readOnly, error: problem('shareBps', 'amount') } as const
  return (
    <KindSwitch
      label={t('terms.partOf', { number })}
      kinds={{ share: t('terms.share'), amount: t('terms.amount') }}
      kind={term.amount === null ? 'share' : 'amount'}
      readOnly={readOnly}
      onChange={(kind) =>
        onChange(
          kind === 'share' ? { amount: null, shareBps: leftShare || null } : { shareBps: null, amount: 1_000_000 },
        )
      }
    >
      {term.amount === null ? (
        <NumberInput
          {...input}
          aria-label={t('terms.shareOf', { number })}
          value={term.shareBps === null ? '' : term.shareBps / 100}
          onChange={(percent) =>
            onChange({ shareBps: percent === '' ? null : Math.round(Number(percent) * 100) || null })
          }
          min={0}
          max={100}
          clampBehavior="none"
          decimalScale={2}
          suffix=" %"
          hideControls
        />
      ) : (
        <MoneyInput
          {...input}
          aria-label={t('terms.amountOf', { number })}
          value={term.amount}
          onChange={(amount) => onChange({ amount })}
          {...(term.amount < 1 && { error: t('terms.problems.amount') })}
        />
      )}
    </KindSwitch>
  )
}

function DueDay({ term, index, readOnly, problem, onChange }: FieldProps) {
  const { t } = useTranslation('fees')
  const number = index + 1
  const input = { size: 'sm', readOnly, error: problem('dueDays', 'dueDate') } as const
  return (
    <KindSwitch
      label={t('terms.dueOf', { number })}
      kinds={{ days: t('terms.days'), date: t('terms.date') }}
      kind={term.dueDate === null ? 'days' : 'date'}
      readOnly={readOnly}
      onChange={(kind) =>
        onChange(
          kind === 'days'
            ? { dueDate: null, dueDays: 30 * index + 7 }
            : { dueDays: null, dueDate: shiftDay(universityCalendar().dayOf(new Date()), 30 * index) },
        )
      }
    >
      {term.dueDate === null ? (
        <NumberInput
          {...input}
          aria-label={t('terms.daysOf', { number })}
          value={term.dueDays ?? ''}
          onChange={(days) => onChange({ dueDays: days === '' ? null : Number(days) })}
          min={0}
          max={3650}
          allowDecimal={false}
          suffix={t('terms.daysSuffix')}
          hideControls
        />
      ) : (
        <DatePickerInput
          {...input}
          aria-label={t('terms.dateOf', { number })}
          value={term.dueDate}
          onChange={(dueDate) => onChange({ dueDate })}
        />
      )}
    </KindSwitch>
  )
}

function Moves({ index, isLast, onMove, onRemove }: MovesProps) {
  const { t } = useTranslation('fees')
  const moves = [
    { key: 'up', Icon: IconArrowUp, disabled: index === 0, onClick: () => onMove(-1) },
    { key: 'down', Icon: IconArrowDown, disabled: isLast, onClick: () => onMove(1) },
    { key: 'remove', Icon: IconTrash, color: 'red', onClick: onRemove },
  ] as const
  return (
    <Group gap={4} wrap="nowrap" className={classes.moves}>
      {moves.map(({ key, Icon, ...button }) => (
        <ActionIcon
          key={key}
          variant="subtle"
          color="gray"
          size={36}
          aria-label={t(`terms.${key}`, { number: index + 1 })}
          {...button}
        >
          <Icon size={18} aria-hidden="true" />
        </ActionIcon>
      ))}
    </Group>
  )
}

import { ActionIcon, Button, Group, Select, Stack, Switch, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Question, type QuestionKind, questionKinds } from '#domain/surveys/definition.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './builder.module.css'
import { ConditionFields } from './condition-fields.tsx'
import { KindFields } from './kind-fields.tsx'
import { textOf } from './text-of.ts'
import type { Builder } from './use-builder.ts'
import { WordsFields } from './words-fields.tsx'

type Props = {
  index: number
  questions: readonly Question[]
  isOpen: boolean
  problemCount: number
  field: Builder['field']
  onToggle: () => void
  onChange: (question: Question) => void
  onKind: (kind: QuestionKind) => void
  onMove: (step: -1 | 1) => void
  onCopy: () => void
  onRemove: () => void
}

/** One question of the draft, with its fields while it is open. */
export function QuestionCard({ index, questions, isOpen, problemCount, field, ...on }: Props) {
  const { t } = useTranslation(['survey-builder', 'surveys'])
  const { language } = useSurroundings()
  const question = questions[index]!
  const number = index + 1
  const name = `draft.questions.${index}`
  const set = (change: Partial<Question>) => on.onChange({ ...question, ...change })
  const marks = [
    t(`surveys:kind.${question.kind}`),
    ...(question.required ? [t('requiredMark')] : []),
    ...(question.when ? [t('conditionMark')] : []),
  ]
  const action = (
    word: 'up' | 'down' | 'copy' | 'remove',
    icon: React.ReactNode,
    run: () => void,
    disabled = false,
  ) => (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={t(word, { number })}
      disabled={disabled}
      onClick={run}
      data-action={word}
    >
      {icon}
    </ActionIcon>
  )
  return (
    <li className={classes.question} data-question={question.key}>
      <div className={classes.line}>
        <Button
          variant="subtle"
          className={classes.title}
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'fold' : 'edit', { number })}
          onClick={on.onToggle}
        >
          <span>
            {number}. {textOf(question.label, language) || t('unnamed')}
          </span>
          <Text component="span" size="sm" c={problemCount > 0 ? 'var(--mantine-color-error)' : 'dimmed'}>
            {[...marks, ...(problemCount > 0 ? [`! ${problemCount}`] : [])].join(' · ')}
          </Text>
        </Button>
        <Group gap={4} wrap="nowrap">
          {action('up', <IconArrowUp size={16} aria-hidden />, () => on.onMove(-1), index === 0)}
          {action('down', <IconArrowDown size={16} aria-hidden />, () => on.onMove(1), index === questions.length - 1)}
          {action('copy', <IconCopy size={16} aria-hidden />, on.onCopy)}
          {action('remove', <IconTrash size={16} aria-hidden />, on.onRemove)}
        </Group>
      </div>
      {isOpen && (
        <Stack gap="sm" className={classes.fields}>
          <WordsFields
            name={`${name}.label`}
            label={t('label')}
            value={question.label}
            onChange={(label) => set({ label })}
            field={field}
          />
          <WordsFields
            name={`${name}.help`}
            label={t('help')}
            value={question.help}
            onChange={(help) => set({ help })}
            field={field}
          />
          <Select
            label={t('kind')}
            allowDeselect={false}
            data={questionKinds.map((kind) => ({ value: kind, label: t(`surveys:kind.${kind}`) }))}
            value={question.kind}
            {...field(`${name}.kind`)}
            onChange={(kind) => kind && on.onKind(kind as QuestionKind)}
          />
          <KindFields name={name} question={question} set={set} field={field} />
          <Switch
            label={t('required')}
            checked={question.required}
            onChange={({ currentTarget }) => set({ required: currentTarget.checked })}
          />
          <ConditionFields
            name={`${name}.when`}
            question={question}
            earlier={questions.slice(0, index)}
            onChange={(when) => set({ when })}
            field={field}
          />
        </Stack>
      )}
    </li>
  )
}

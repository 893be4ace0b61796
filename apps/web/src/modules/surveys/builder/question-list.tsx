import { Button, Group, Menu, Text, VisuallyHidden } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Question, questionKinds, surveyLimits } from '#domain/surveys/definition.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './builder.module.css'
import { changeKind, copyOf, insertAt, moveBy, newQuestion, removeAt, replaceAt } from './draft-changes.ts'
import { QuestionCard } from './question-card.tsx'
import { textOf } from './text-of.ts'
import type { Builder } from './use-builder.ts'

type Props = {
  builder: Pick<Builder, 'questions' | 'setQuestions' | 'field' | 'problems'>
  /** Key of the question whose fields are shown. */
  openKey: string | null
  onOpen: (key: string | null) => void
}

/** Questions of the draft, with buttons to add, move, copy and remove them. The last removal can be undone. */
export function QuestionList({ builder, openKey, onOpen }: Props) {
  const { t } = useTranslation(['survey-builder', 'surveys'])
  const { language } = useSurroundings()
  const { questions, setQuestions, field, problems } = builder
  const [removed, setRemoved] = useState<{ question: Question; index: number } | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const undo = useRef<HTMLButtonElement>(null)
  const nameOf = ({ label }: Question) => textOf(label, language) || t('unnamed')

  useEffect(() => {
    if (removed) undo.current?.focus()
  }, [removed])

  function move(index: number, step: -1 | 1) {
    const question = questions[index]!
    setQuestions(moveBy(questions, index, step))
    setAnnouncement(t('moved', { question: nameOf(question), number: index + step + 1 }))
    // At either end of the list the pressed button is disabled, so the other arrow gets the focus.
    requestAnimationFrame(() => {
      const card = list.current?.querySelector(`[data-question="${question.key}"]`)
      const pressed = card?.querySelector<HTMLButtonElement>(`[data-action=${step < 0 ? 'up' : 'down'}]`)
      const other = card?.querySelector<HTMLButtonElement>(`[data-action=${step < 0 ? 'down' : 'up'}]`)
      ;(pressed?.disabled ? other : pressed)?.focus()
    })
  }

  function insert(index: number, question: Question) {
    setQuestions(insertAt(questions, index, question))
    onOpen(question.key)
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-question="${question.key}"] :is(input, textarea)`)?.focus(),
    )
  }

  return (
    <>
      {questions.length === 0 && <Text c="dimmed">{t('noQuestions')}</Text>}
      <ol className={classes.questions} ref={list}>
        {questions.map((question, index) => (
          <QuestionCard
            key={question.key}
            index={index}
            questions={questions}
            isOpen={question.key === openKey}
            problemCount={problems.filter(({ field }) => field.startsWith(`draft.questions.${index}.`)).length}
            field={field}
            onToggle={() => onOpen(question.key === openKey ? null : question.key)}
            onChange={(next) => setQuestions(replaceAt(questions, index, next))}
            onKind={(kind) => {
              const next = changeKind(questions, index, kind)
              setQuestions(next)
              onOpen(next[index]!.key)
            }}
            onMove={(step) => move(index, step)}
            onCopy={() => insert(index + 1, copyOf(question))}
            onRemove={() => {
              setQuestions(removeAt(questions, index))
              setRemoved({ question, index })
            }}
          />
        ))}
      </ol>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      {removed && (
        <Group role="status" className={classes.removed} mb="sm">
          <Text size="sm">{t('removed', { question: nameOf(removed.question) })}</Text>
          <Button
            ref={undo}
            size="sm"
            variant="default"
            onClick={() => {
              insert(removed.index, removed.question)
              setRemoved(null)
            }}
          >
            {t('undo')}
          </Button>
        </Group>
      )}
      {questions.length < surveyLimits.questions && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="light" leftSection={<IconPlus size={18} aria-hidden />}>
              {t('add')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {questionKinds.map((kind) => (
              <Menu.Item key={kind} onClick={() => insert(questions.length, newQuestion(kind))}>
                {t(`surveys:kind.${kind}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}

import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { TodoItem } from '#domain/admissions/schemas.ts'
import { useDue, useStepParams } from '#web/modules/admissions/use-due.ts'
import { Card } from '#web/ui/card.tsx'
import quiet from '#web/ui/text/quiet.module.css'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'
import { dueKeyOf, pathOfStep } from './next-step.ts'
import classes from './todo-list.module.css'

const tones: Record<TodoItem['state'], Tone> = {
  done: 'done',
  todo: 'attention',
  blocked: 'waiting',
  waiting: 'progress',
}

type Props = {
  items: readonly TodoItem[]
  registrationId: string
  /** Step whose button the hero above already shows. */
  heroKey?: string
}

/** Open steps with state and deadline, done ones collapsed. A blocked step names the rule and who must act. */
export function TodoList({ items, registrationId, heroKey }: Props) {
  const { t } = useTranslation(['registration', 'admissions'])
  const doneItems = items.filter(({ state }) => state === 'done')
  return (
    <Card title={t('todoTitle')} flush>
      <ul className={classes.list}>
        {items
          .filter(({ state }) => state !== 'done')
          .map((item) => (
            <li key={item.key} className={classes.item} data-state={item.state}>
              <div>
                <div className={classes.name}>{t(`admissions:todo.${item.key}`)}</div>
                <Why item={item} />
              </div>
              <StatusDot
                tone={tones[item.state]}
                label={t(`admissions:todoState.${item.key === 'attendTest' ? 'ahead' : item.state}`)}
              />
              {item.state === 'todo' && item.key !== heroKey && (
                <Button
                  className={classes.act}
                  component={Link}
                  to={pathOfStep(item, registrationId)}
                  variant="light"
                  mih={44}
                  fullWidth
                >
                  {t(`act.${item.key}`)}
                </Button>
              )}
            </li>
          ))}
      </ul>
      {doneItems.length > 0 && (
        <details className={classes.done}>
          <summary>
            <StatusDot tone="done" label={t('todoDone')} />
          </summary>
          <ul>
            {doneItems.map(({ key }) => (
              <li key={key}>{t(`admissions:todo.${key}`)}</li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  )
}

function Why({ item }: { item: TodoItem }) {
  const { t } = useTranslation(['registration', 'admissions'])
  const due = useDue()
  const params = useStepParams()
  const blocked = item.blockedBy && t(`admissions:blocked.${item.blockedBy}`, { ...params(item) })
  const actor =
    item.state !== 'todo' && item.actor !== 'you' && t('turn', { who: t(`admissions:todoActor.${item.actor}`) })
  const dueKey = item.dueAt && dueKeyOf(item, new Date())
  const date = dueKey && t(dueKey, { due: due(item.dueAt) })
  const sentences = [blocked, actor, date].filter(Boolean)
  return sentences.length > 0 ? <div className={quiet.text}>{sentences.join(' ')}</div> : null
}

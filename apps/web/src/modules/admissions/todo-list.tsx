import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { TodoItem } from '#domain/admissions/schemas.ts'
import { Card } from '#web/ui/card.tsx'
import { StatusDot, type Tone } from '#web/ui/status-dot.tsx'
import { isOverdue, pathOfStep } from './next-step.ts'
import classes from './todo-list.module.css'
import { useDue, useStepParams } from './use-due.ts'

const tones: Record<TodoItem['state'], Tone> = {
  done: 'done',
  todo: 'attention',
  blocked: 'waiting',
  waiting: 'progress',
}

type Props = {
  items: readonly TodoItem[]
  registrationId: string /** Its button stands above already. */
  first?: string
}

/** Every step with its state; a blocked one says which rule, who must act and by when. */
export function TodoList({ items, registrationId, first }: Props) {
  const { t } = useTranslation(['registration', 'admissions'])
  return (
    <Card title={t('todoTitle')} flush>
      <ul className={classes.list}>
        {items.map((item) => (
          <li key={item.key} className={classes.item} data-state={item.state}>
            <div>
              <div className={classes.head}>
                <span className={classes.name}>{t(`admissions:todo.${item.key}`)}</span>
                <StatusDot tone={tones[item.state]} label={t(`admissions:todoState.${item.state}`)} />
              </div>
              <Why item={item} />
            </div>
            {item.state === 'todo' && item.key !== first && (
              <Button
                component={Link}
                to={pathOfStep(item, registrationId)}
                variant="light"
                mih={44}
                aria-label={`${t(`admissions:todo.${item.key}`)}: ${t(`act.${item.key}`)}`}
              >
                {t(`act.${item.key}`)}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Why({ item }: { item: TodoItem }) {
  const { t } = useTranslation(['registration', 'admissions'])
  const due = useDue()
  const params = useStepParams()
  if (item.state === 'done') return null
  const date = item.dueAt && t(isOverdue(item, new Date()) ? 'overdue' : 'before', { due: due(item.dueAt) })
  const blocked = item.blockedBy && t(`admissions:blocked.${item.blockedBy}` as never, { ...params(item) })
  const words = [blocked, item.state === 'todo' ? null : t(`admissions:todoActor.${item.actor}`), date].filter(Boolean)
  return words.length > 0 ? <div className={classes.quiet}>{words.join(' · ')}</div> : null
}

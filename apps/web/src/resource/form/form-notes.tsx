import { Alert, Anchor, Button, Group, List, Text } from '@mantine/core'
import type { Entity } from '#entities/define/entity.ts'
import type { ApiError } from '#web/api/client.ts'
import { useEntityWords } from '#web/resource/words.ts'
import classes from './stale-changes.module.css'

type Problems = { entity: Entity; error: ApiError; sentences: Record<string, string> }

/** Lists every refused field, each linked to its control. */
export function FormProblems({ entity, error, sentences }: Problems) {
  const { labelOf } = useEntityWords()
  const problems = Object.entries(sentences)
  const goTo = (name: string) => {
    const controls = ['input:not([type=hidden])', 'textarea', 'button'].map((tag) => `[data-field="${name}"] ${tag}`)
    document.querySelector<HTMLElement>(controls.join())?.focus()
  }
  return (
    <Alert
      color="red"
      variant="light"
      mt="md"
      maw={640}
      role="alert"
      title={error.message}
      classNames={{ title: classes.title }}
    >
      {problems.length > 0 && (
        <List size="sm" className={classes.problems}>
          {problems.map(([name, sentence]) => (
            <List.Item key={name}>
              {entity.fields[name] ? (
                <Anchor
                  component="button"
                  type="button"
                  inherit
                  c="inherit"
                  underline="always"
                  onClick={() => goTo(name)}
                >
                  {labelOf(entity, name)}: {sentence}
                </Anchor>
              ) : (
                sentence
              )}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}

/** Says that unsaved changes from an earlier visit were restored. */
export function RestoredDraft({ onDiscard }: { onDiscard: () => void }) {
  const { t } = useEntityWords()
  return (
    <Alert color="blue" variant="light" mb="md" role="status">
      <Group justify="space-between">
        <Text size="sm">{t('restored')}</Text>
        <Button size="compact-sm" variant="default" onClick={onDiscard} children={t('discard')} />
      </Group>
    </Alert>
  )
}

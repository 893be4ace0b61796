import { Stack, Text, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { declaredField } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'

import type { ApiError } from '#web/api/client.ts'
import { useEntityWords } from '#web/resource/words.ts'
import { PageForm } from '#web/ui/form/form.tsx'
import { isDialogAsked } from '#web/ui/shortcuts.ts'
import { FieldInput } from './field-input.tsx'
import { FormActions } from './form-actions.tsx'
import { FormProblems, RestoredDraft } from './form-notes.tsx'
import { StaleChanges } from './stale-changes.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { type ResourceFormProps, useResourceForm } from './use-resource-form.ts'

/** The server refuses list items (`testIds.0`); the sentence is shown for the whole field. */
const sentencesOf = (error: ApiError) =>
  Object.fromEntries(Object.entries(error.fieldMessages).map(([path, text]) => [path.split('.')[0]!, text]))

/** Form of any entity: adds a row, or changes one and offers its actions. */
export function ResourceForm(props: ResourceFormProps) {
  const { entity, start } = props
  const { t, say } = useEntityWords()
  const form = useResourceForm(props)
  const { values, saved, newerRow, checks, busy, refusal } = form
  // Leaves hotkeys to a dialog open above the form, which may have its own form.
  const onTop = (act: () => void) => () => {
    const dialog = [...document.querySelectorAll('[aria-modal="true"]')].at(-1) ?? null
    if (!isDialogAsked() && form.element.current?.closest('[aria-modal="true"]') === dialog) act()
  }
  useHotkeys(
    [
      ['mod+S', onTop(() => void form.save(false))],
      ['mod+Enter', onTop(() => void form.save(!saved && !start))],
    ],
    [],
  )
  const sectionOf = ({ section }: Field) => (section ? say(section) : '')
  const sections = Map.groupBy(Object.keys(values), (name) => sectionOf(declaredField(entity, name)))
  return (
    <PageForm
      // The list of problems shows every refusal.
      form={{ form: checks.form, formError: null, busy, submit: () => void form.save(false) }}
      submit={t('save')}
      button={{ title: 'Ctrl + S' }}
      gap={0}
      layOut={(saveButton) => (
        <FormActions
          {...{ entity, saved, busy, saveButton }}
          dirty={form.dirty}
          setActive={form.setActive}
          remove={form.remove}
          onLeave={form.leave}
          onAnother={start ? undefined : () => form.save(true)}
        />
      )}
    >
      <UnsavedGuard dirty={form.dirty && !busy} onLeave={form.discard} />
      {form.restored && <RestoredDraft onDiscard={form.discard} />}
      {saved?.active === false && <Text c="dimmed" mb="md" children={t('inactiveNote')} />}
      <Stack gap="md" maw={640}>
        {[...sections].map(([heading, names]) => (
          <Stack key={heading} gap="md">
            {heading && <Title order={2} size="h3" mt="sm" children={heading} />}
            {names.map((name) => (
              <div key={name} data-field={name}>
                <FieldInput
                  entity={entity}
                  name={name}
                  values={values}
                  title={saved?.titles[name]}
                  error={checks.errorOf(name)}
                  onChange={(value) => form.set(name, value)}
                />
              </div>
            ))}
          </Stack>
        ))}
      </Stack>
      {newerRow ? (
        <StaleChanges
          entity={entity}
          current={newerRow}
          values={values}
          onKeep={form.keepMine}
          onTake={form.takeTheirs}
        />
      ) : (
        refusal && <FormProblems entity={entity} error={refusal} sentences={sentencesOf(refusal)} />
      )}
    </PageForm>
  )
}

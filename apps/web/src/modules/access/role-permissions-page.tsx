import { Accordion, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { readRolePermissions, setRolePermissions } from '#domain/access/endpoints.ts'
import { matrixOf, slugsOfRow } from '#domain/access/permission-matrix.ts'
import type { Answer } from '#domain/endpoint.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { Card } from '#web/ui/card.tsx'
import { DialogForm, type FormState } from '#web/ui/form/form.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { StickyBar } from '#web/ui/sticky-bar.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './access.module.css'
import { FindField } from './find-field.tsx'
import { Abilities } from './permissions/abilities.tsx'
import { PermissionMatrix } from './permissions/permission-matrix.tsx'
import { RoleFrame } from './role-frame.tsx'

/** Selects a role's permissions in a table; before saving, lists the changes and describes the result in sentences. */
export default function RolePermissionsPage() {
  const { id = '' } = useParams()
  const answer = useEndpoint(readRolePermissions, { params: { id } }, { refetchOnWindowFocus: false })
  if (!answer.data) return <LoadingRecord error={answer.error} onRetry={answer.refetch} rows={10} />
  const { data } = answer.data
  return (
    <RoleFrame role={data.role} part="permissions">
      <Choice key={`${data.role.id} ${data.role.version}`} {...data} />
    </RoleFrame>
  )
}

type Props = Answer<typeof readRolePermissions>['data']

function Choice({ role, catalogue, held: stored }: Props) {
  const { t } = useTranslation('access')
  const { language } = useSurroundings()
  const [held, setHeld] = useState<ReadonlySet<string>>(new Set(stored))
  const [query, setQuery] = useState('')
  const [reviewing, setReviewing] = useState(false)
  const set = (slugs: readonly string[], isGranted: boolean) =>
    setHeld((before) => {
      const after = new Set(before)
      for (const slug of slugs) {
        if (isGranted) after.add(slug)
        else after.delete(slug)
      }
      return after
    })
  const before = new Set(stored)
  const added = catalogue.filter(({ slug }) => held.has(slug) && !before.has(slug))
  const removed = catalogue.filter(({ slug }) => !held.has(slug) && before.has(slug))
  const changes = added.length + removed.length
  const words = query.trim().toLowerCase()
  const groups = matrixOf(catalogue)
    .map(({ group, rows }) => ({
      group,
      rows: rows.filter(
        (row) =>
          words === '' ||
          row.name[language].toLowerCase().includes(words) ||
          slugsOfRow(row).some((slug) => slug.includes(words)),
      ),
    }))
    .filter(({ rows }) => rows.length > 0)
  const form = useForm({
    call: setRolePermissions,
    params: { id: role.id },
    body: { version: role.version, held: [...held] },
    done: t('rolePermissions.saved'),
    onDone: () => setReviewing(false),
  })
  return (
    <div className={classes.layout}>
      <div>
        <Card>
          <FindField mb="sm" label={t('rolePermissions.search')} value={query} onChange={setQuery} />
          {groups.length === 0 && <EmptyState title={t('rolePermissions.noneFound')} />}
          <Accordion multiple defaultValue={groups.map(({ group }) => group)} variant="default" chevronPosition="left">
            {groups.map(({ group, rows }) => {
              const slugs = rows.flatMap(slugsOfRow)
              const count = slugs.filter((slug) => held.has(slug)).length
              return (
                <Accordion.Item key={group} value={group}>
                  <Accordion.Control>
                    <Group justify="space-between" wrap="nowrap">
                      <Text fw={600}>{t(`permissions.groups.${group}` as 'permissions.groups.master')}</Text>
                      <Text size="sm" c="dimmed" className="tabular">
                        {t('rolePermissions.held', { held: count, all: slugs.length })}
                      </Text>
                    </Group>
                  </Accordion.Control>
                  <Accordion.Panel>
                    <PermissionMatrix {...{ rows, held, before }} readOnly={role.refusal !== null} onSet={set} />
                  </Accordion.Panel>
                </Accordion.Item>
              )
            })}
          </Accordion>
        </Card>
        {role.refusal === null && (
          <StickyBar>
            <Text size="sm" flex={1} role="status">
              {changes > 0 && t('rolePermissions.changed', { count: changes })}
            </Text>
            <Button variant="default" disabled={changes === 0} onClick={() => setHeld(new Set(stored))}>
              {t('menus.undo')}
            </Button>
            <Button
              disabled={changes === 0}
              onClick={() => setReviewing(true)}
              children={t('rolePermissions.review')}
            />
          </StickyBar>
        )}
      </div>
      <aside className={classes.stays} aria-label={t('rolePermissions.can')}>
        <Card title={t('rolePermissions.can')}>
          <Abilities catalogue={catalogue} permissions={held} />
        </Card>
      </aside>
      {reviewing && (
        <Review
          form={{ ...form, formError: form.errorOf('held') ?? form.formError }}
          {...{ added, removed }}
          holders={role.holders}
          onClose={() => setReviewing(false)}
        />
      )}
    </div>
  )
}

type ReviewProps = {
  form: FormState
  added: Props['catalogue']
  removed: Props['catalogue']
  holders: number
  onClose: () => void
}

/** Before saving, lists the changes and how many holders they affect. */
function Review({ form, added, removed, holders, onClose }: ReviewProps) {
  const { t } = useTranslation('access')
  const { language } = useSurroundings()
  const list = (title: string, rows: Props['catalogue']) =>
    rows.length > 0 && (
      <div>
        <Text fw={600}>{title}</Text>
        <ul className={classes.lines}>
          {rows.map(({ slug, name }) => (
            <li key={slug}>
              {name[language]}{' '}
              <Text span size="xs" c="dimmed">
                {slug}
              </Text>
            </li>
          ))}
        </ul>
      </div>
    )
  return (
    <DialogForm
      form={form}
      title={t('rolePermissions.reviewTitle')}
      submit={t('rolePermissions.save')}
      onClose={onClose}
    >
      {list(t('rolePermissions.added', { count: added.length }), added)}
      {list(t('rolePermissions.removed', { count: removed.length }), removed)}
      {holders > 0 && <Text size="sm">{t('rolePermissions.effect', { count: holders })}</Text>}
    </DialogForm>
  )
}

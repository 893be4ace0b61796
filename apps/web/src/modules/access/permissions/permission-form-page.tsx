import { Anchor, Code, Grid, Select, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { createPermission, readPermission, removePermission, updatePermission } from '#domain/access/endpoints.ts'
import { permissionGroups } from '#domain/access/permissions.ts'
import type { Answer } from '#domain/endpoint.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import classes from '#web/modules/access/access.module.css'
import { NameFields, namesOf, startOfNames } from '#web/modules/access/name-fields.tsx'
import { SettingForm } from '#web/modules/access/setting-form.tsx'
import { pathsAskingFor, usePageTable } from '#web/shell/page-table.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle, useScreenTitle } from '#web/shell/title.tsx'
import { useGoBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Permission = Answer<typeof readPermission>['data']

/** Adds or renames a custom permission; built-in ones are read-only. Both show where they are used. */
export default function PermissionFormPage() {
  const { id: slug } = useParams()
  const title = useScreenTitle()
  const answer = useEndpoint(
    readPermission,
    { params: { slug: slug ?? '' } },
    { enabled: !!slug, refetchOnWindowFocus: false },
  )
  usePageTitle(slug ? `${title}: ${slug}` : null)
  if (slug && !answer.data) return <LoadingRecord error={answer.error} onRetry={answer.refetch} rows={6} />
  const permission = answer.data?.data
  return (
    <>
      <PageHeader title={slug ?? title} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: permission ? 6 : 12 }}>
          <Card>
            <PermissionForm key={slug ?? 'new'} permission={permission} />
          </Card>
        </Grid.Col>
        {permission && (
          <Grid.Col span={{ base: 12, lg: 6 }}>
            <Use slug={permission.slug} {...permission.use} />
          </Grid.Col>
        )}
      </Grid>
    </>
  )
}

function PermissionForm({ permission }: { permission: Permission | undefined }) {
  const { t } = useTranslation('access')
  const { may } = useSession()
  const { language } = useSurroundings()
  const goBackTo = useGoBack()
  const goBack = () => goBackTo('/settings/permissions')
  const form = useForm({
    call: permission ? updatePermission : createPermission,
    params: permission && { slug: permission.slug },
    start: {
      slug: permission?.slug ?? '',
      ...startOfNames(permission?.name),
      group: permission?.group ?? 'settings',
    },
    body: ({ slug, group, ...names }) => ({ name: namesOf(names), group, ...(!permission && { slug }) }),
    done: t('permissions.saved'),
    onDone: goBack,
  })
  const removing = useForm({
    call: removePermission,
    params: { slug: permission?.slug ?? '' },
    done: t('permissions.deleted'),
    onDone: goBack,
  })
  const fixed = permission?.builtIn ?? false
  return (
    <SettingForm
      form={form}
      fixed={fixed}
      onBack={goBack}
      removal={
        permission &&
        !fixed &&
        may('settings-permissions-delete') && (
          <ConfirmButton
            danger
            variant="outline"
            ml="auto"
            title={t('permissions.deleteTitle')}
            message={t('permissions.deleteText')}
            onConfirm={() => removing.send()}
            children={t('permissions.delete')}
          />
        )
      }
    >
      <Text size="sm" c="dimmed">
        {t(fixed ? 'permissions.builtInNote' : 'permissions.ownNote')}
      </Text>
      <TextInput
        size="sm"
        label={t('permissions.slug')}
        description={permission ? undefined : t('permissions.slugHelp')}
        readOnly={!!permission}
        {...form.text('slug')}
      />
      <NameFields labels={{ en: t('permissions.nameEn'), id: t('permissions.nameId') }} form={form} readOnly={fixed} />
      <Select
        size="sm"
        label={t('permissions.group')}
        readOnly={fixed}
        allowDeselect={false}
        data={Object.entries(permissionGroups).map(([value, label]) => ({ value, label: label[language] }))}
        {...form.choice('group')}
      />
    </SettingForm>
  )
}

/** Routes, screens, menus and roles that use this permission. */
function Use({ slug, routes, menus, roles }: Permission['use'] & { slug: string }) {
  const { pages } = usePageTable()
  const { t } = useTranslation('access')
  const { language } = useSurroundings()
  const { may } = useSession()
  const renderUses = (title: string, items: readonly { key: string; text: ReactNode }[]) => (
    <div>
      <Text size="sm" fw={600}>
        {title} ({items.length})
      </Text>
      {items.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('permissions.unused')}
        </Text>
      ) : (
        <ul className={classes.lines}>
          {items.map(({ key, text }) => (
            <li key={key}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  )
  const linkIfAllowed = (permissionSlug: string, to: string, text: string) =>
    may(permissionSlug) ? (
      <Anchor component={Link} to={to} inherit>
        {text}
      </Anchor>
    ) : (
      text
    )
  return (
    <Card title={t('permissions.use')}>
      <Stack gap="md">
        {renderUses(
          t('permissions.roles'),
          roles.map(({ id, name }) => ({
            key: id,
            text: linkIfAllowed('settings-roles-permissions', `/settings/roles/permissions/${id}`, name),
          })),
        )}
        {renderUses(
          t('permissions.menus'),
          menus.map(({ id, name }) => ({
            key: id,
            text: linkIfAllowed('settings-url-update', `/settings/url/${id}`, name[language]),
          })),
        )}
        {renderUses(
          t('permissions.screens'),
          pathsAskingFor(slug, pages).map((path) => ({ key: path, text: <Code>{path}</Code> })),
        )}
        {renderUses(
          t('permissions.routes'),
          routes.map(({ method, path }) => ({ key: `${method} ${path}`, text: <Code>{`${method} ${path}`}</Code> })),
        )}
      </Stack>
    </Card>
  )
}

import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PermissionRow } from '#domain/access/endpoints.ts'
import { abilitiesOf } from '#domain/access/permission-matrix.ts'
import { localeTags } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = { catalogue: readonly PermissionRow[]; permissions: ReadonlySet<string> }

/** Describes in sentences what these permissions allow. */
export function Abilities({ catalogue, permissions }: Props) {
  const { t } = useTranslation('access')
  const { language } = useSurroundings()
  const list = new Intl.ListFormat(localeTags[language], { type: 'conjunction' })
  const lower = (text: string) => (/^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1))
  const abilities = abilitiesOf(catalogue, permissions)
  if (abilities.length === 0) return <Text size="sm">{t('rolePermissions.nothing')}</Text>
  return (
    <Stack gap="md">
      {abilities.map(({ group, everything, things, others }) => (
        <div key={group}>
          <Text size="sm" fw={600}>
            {t(`permissions.groups.${group}` as 'permissions.groups.master')}
          </Text>
          {everything ? (
            <Text size="sm">{t('rolePermissions.everything')}</Text>
          ) : (
            <>
              {things.map(({ verbs, names }) => (
                <Text key={verbs.join()} size="sm">
                  {t('rolePermissions.sentence', {
                    verbs: list.format(verbs.map((verb) => t(`rolePermissions.does.${verb}`))),
                    things: list.format(names.map((name) => lower(name[language]))),
                  })}
                </Text>
              ))}
              {others.length > 0 && (
                <Text size="sm">
                  {t('rolePermissions.also', { things: list.format(others.map((name) => lower(name[language]))) })}
                </Text>
              )}
            </>
          )}
        </div>
      ))}
    </Stack>
  )
}

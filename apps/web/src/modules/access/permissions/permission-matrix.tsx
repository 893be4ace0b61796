import { Checkbox, Group, Tooltip } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type MatrixRow, matrixVerbs, slugsOfRow } from '#domain/access/permission-matrix.ts'
import classes from '#web/modules/access/access.module.css'
import { useSession } from '#web/shell/session/session.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = {
  rows: readonly MatrixRow[]
  held: ReadonlySet<string>
  before: ReadonlySet<string>
  /** Whether the reader may not change the role. */
  readOnly: boolean
  onSet: (slugs: readonly string[], isGranted: boolean) => void
}

/** Table of permissions: things as rows, verbs as columns; a checkbox per row and column sets all its cells. */
export function PermissionMatrix({ rows, held, before, readOnly, onSet }: Props) {
  const { t } = useTranslation('access')
  const { language } = useSurroundings()
  const { may } = useSession()
  const givable = (slugs: readonly string[]) => slugs.filter((slug) => may(slug))
  const checkboxForAll = (label: string, slugs: readonly string[]) => {
    const count = slugs.filter((slug) => held.has(slug)).length
    return (
      <Checkbox
        size="xs"
        aria-label={label}
        checked={count > 0 && count === slugs.length}
        indeterminate={count > 0 && count < slugs.length}
        disabled={readOnly || givable(slugs).length === 0}
        onChange={(event) => (event.currentTarget.checked ? onSet(givable(slugs), true) : onSet(slugs, false))}
      />
    )
  }
  const checkboxFor = (slug: string, name: string, label?: string) => {
    const isRefused = !readOnly && !may(slug)
    return (
      <Tooltip label={t('rolePermissions.notYours')} disabled={!isRefused}>
        <div>
          <Checkbox
            size="xs"
            label={label}
            aria-label={label ? undefined : name}
            title={slug}
            checked={held.has(slug)}
            disabled={readOnly || isRefused}
            onChange={(event) => onSet([slug], event.currentTarget.checked)}
          />
        </div>
      </Tooltip>
    )
  }
  const columns = matrixVerbs.filter((verb) => rows.some(({ cells }) => cells[verb]))
  const hasChanged = (slugs: readonly string[]) => slugs.some((slug) => held.has(slug) !== before.has(slug))
  return (
    <table className={classes.matrix}>
      <thead>
        <tr>
          <th scope="col">{t('rolePermissions.thing')}</th>
          {columns.map((verb) => (
            <th key={verb} scope="col" className={classes.verb}>
              {t(`rolePermissions.verbs.${verb}`)}
              <div>
                {checkboxForAll(
                  t('rolePermissions.column', { name: t(`rolePermissions.verbs.${verb}`) }),
                  rows.flatMap(({ cells }) => cells[verb]?.slug ?? []),
                )}
              </div>
            </th>
          ))}
          <th scope="col">{t('rolePermissions.other')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const name = row.name[language]
          return (
            <tr key={row.key} className={hasChanged(slugsOfRow(row)) ? classes.changed : undefined}>
              <th scope="row">
                <Group gap="xs" wrap="nowrap">
                  {checkboxForAll(t('rolePermissions.allOf', { name }), slugsOfRow(row))}
                  {name}
                </Group>
              </th>
              {columns.map((verb) => (
                <td key={verb} className={classes.verb} data-label={t(`rolePermissions.verbs.${verb}`)}>
                  {row.cells[verb] &&
                    checkboxFor(row.cells[verb].slug, `${t(`rolePermissions.verbs.${verb}`)}: ${name}`)}
                </td>
              ))}
              <td className={classes.further}>
                <Group gap="4px 16px">
                  {row.others.map(({ slug, name: other }) => (
                    <div key={slug}>{checkboxFor(slug, other[language], other[language])}</div>
                  ))}
                </Group>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

import { h, setText } from '#web/survey/dom.ts'
import { shrinkImage } from '#web/ui/form/shrink-image.ts'
import { groupField, type InputOptions, problemPlace, type QuestionInput } from './input.ts'

/** Pictures are kept and sent at this size, always as JPEG. */
const size = { maxEdge: 1600, quality: 0.8, unchangedBytes: 0 }

/** A picture from camera or file, shrunk before it is kept on the device. */
export function photoInput(options: InputOptions): QuestionInput {
  const { id, say, change, services } = options
  let photoId = (options.answer as { id: string } | undefined)?.id
  let url = ''

  const state = h('p', { class: 'sv-help', role: 'status', hidden: true })
  const { element: refusal, show: showRefusal } = problemPlace(`${id}-file`)
  const image = h('img', { alt: say('photo.chosen'), class: 'sv-photo' })
  const remove = h('button', { type: 'button', class: 'sv-quiet', click: () => take(undefined) }, say('photo.remove'))
  const picture = h('div', { hidden: true }, image, remove)

  const fileInput = (word: string, capture: boolean) => {
    const input = h('input', {
      type: 'file',
      accept: 'image/*',
      capture: capture && 'environment',
      id: `${id}-${word}`,
      class: 'sv-file',
      change: async () => {
        const [file] = input.files ?? []
        input.value = ''
        if (file) await receive(file, input)
      },
    })
    return { input, label: h('label', { class: 'sv-button sv-outline' }, input, say(`photo.${word}`)) }
  }
  const camera = fileInput('take', true)
  const gallery = fileInput('choose', false)

  async function receive(file: File, input: HTMLElement) {
    showRefusal(input, '')
    setText(state, say('photo.shrinking'))
    const photo = await shrinkImage(file, size)
    setText(state, '')
    if (photo.type !== 'image/jpeg') return void showRefusal(input, say('photo.unreadable'))
    try {
      take(await services.keepPhoto(photo), photo)
    } catch {
      showRefusal(input, say('photo.notKept'))
    }
  }

  function take(next: string | undefined, photo?: Blob) {
    if (photoId && photoId !== next) services.dropPhoto(photoId)
    photoId = next
    showPicture(photo)
    change(next ? { id: next } : undefined)
    if (!next) camera.input.focus()
  }

  function showPicture(photo: Blob | undefined) {
    if (url) URL.revokeObjectURL(url)
    url = photo ? URL.createObjectURL(photo) : ''
    image.src = url
    picture.hidden = !photo
  }

  if (photoId)
    void services.findPhoto(photoId).then((photo) => {
      if (photo) showPicture(photo)
      else change(undefined)
    })

  const buttons = h('div', { class: 'sv-buttons' }, camera.label, gallery.label)
  return groupField(options, [buttons, state, picture, refusal], () => camera.input)
}

export type DoorTone = 'done' | 'attention' | 'stopped'

/** Frequencies (Hz) and durations (ms) of a verdict's tones. */
const tones: Record<DoorTone, readonly (readonly [hertz: number, ms: number])[]> = {
  done: [[880, 120]],
  attention: [
    [660, 120],
    [660, 120],
  ],
  stopped: [[220, 450]],
}

const vibrations: Record<DoorTone, number[]> = { done: [80], attention: [60, 60, 60], stopped: [300] }

let context: AudioContext | undefined

/** Signals a verdict by sound and vibration, since staff look at the people; silent if the browser forbids it. */
export function signal(tone: DoorTone) {
  navigator.vibrate?.(vibrations[tone])
  try {
    context ??= new AudioContext()
    void context.resume()
    let at = context.currentTime
    for (const [hertz, ms] of tones[tone]) {
      const sound = context.createOscillator()
      const volume = context.createGain()
      sound.frequency.value = hertz
      volume.gain.value = 0.2
      sound.connect(volume).connect(context.destination)
      sound.start(at)
      sound.stop(at + ms / 1000)
      at += ms / 1000 + 0.08
    }
  } catch {
    // The verdict is on screen anyway.
  }
}

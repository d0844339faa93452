import { drawPng } from '../png';
import type { Turn } from '../turn';

/** Gives back the images of the prompt, or draws one. */
export async function images(turn: Turn): Promise<void> {
  const received = turn.prompt.filter((block) => block.type === 'image');
  if (received.length > 0) {
    await turn.say(
      `You sent ${received.length === 1 ? 'one image' : `${received.length} images`}. Here is what I received:\n\n`,
    );
    for (const image of received) {
      turn.show(image);
      await turn.say(`\n${image.mimeType}, ${Math.round((image.data.length * 3) / 4 / 1024)} KB\n`);
    }
    return;
  }
  await turn.say('Here is an image, drawn just now and sent as PNG data:\n\n');
  turn.show({ type: 'image', mimeType: 'image/png', data: twoVoices(360, 150) });
  await turn.say('\n\nAttach your own image to `/images` and I send it back.\n');
}

/** Two wave sources and how they overlap. */
export function twoVoices(width: number, height: number): string {
  return drawPng(width, height, (x, y) => {
    const left = Math.sin(Math.hypot(x - width * 0.3, y - height / 2) / 5);
    const right = Math.sin(Math.hypot(x - width * 0.7, y - height / 2) / 5);
    const shade = (left + right + 2) / 4;
    return [30 + 50 * shade + 60 * Math.max(right, 0), 40 + 110 * shade, 70 + 130 * shade + 40 * Math.max(left, 0)];
  });
}

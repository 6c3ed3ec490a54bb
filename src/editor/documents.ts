import {
  Disposable, EventEmitter, FilePermission, FileSystemError, FileType, l10n, Uri, workspace, type FileStat, type FileSystemProvider,
} from 'vscode';
import { DOCUMENT_SCHEME } from '../contributions.ts';
import { allRuns, attemptOf, type AttemptState } from '../loop/ledger.ts';
import type { BlobId } from '../records.ts';
import { formatAddress, parseAddress, type Address } from './diff/address.ts';
import { outputPage, replyPage } from './diff/pages.ts';
import type { Texts } from './diff/texts.ts';

const BOM = '\ufeff';

export function documentUri(address: Address): Uri {
  return Uri.from({ scheme: DOCUMENT_SCHEME, ...formatAddress(address) });
}

/** The address of one of our documents; undefined for every other one. */
export function addressOf(uri: Uri): Address | undefined {
  return uri.scheme === DOCUMENT_SCHEME ? parseAddress(uri) : undefined;
}

/**
 * Serves the read-only documents. A file system rather than a content provider, because the editor can then bring its
 * tabs back after a reload: it wakes the extension by the scheme.
 */
export function registerDocuments(texts: Texts): Disposable {
  return workspace.registerFileSystemProvider(DOCUMENT_SCHEME, new Documents(texts), { isReadonly: true, isCaseSensitive: true });
}

class Documents implements FileSystemProvider {
  private readonly texts: Texts;
  /** Never fires: what an address shows is decided for good. */
  readonly onDidChangeFile = new EventEmitter<never>().event;

  constructor(texts: Texts) {
    this.texts = texts;
  }

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  async stat(uri: Uri): Promise<FileStat> {
    const isFile = addressOf(uri) !== undefined;
    const size = isFile ? (await this.readFile(uri)).length : 0;
    return { type: isFile ? FileType.File : FileType.Directory, ctime: 0, mtime: 0, size, permissions: FilePermission.Readonly };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const address = addressOf(uri);
    if (address === undefined) throw FileSystemError.FileNotFound(uri);
    const text = await this.content(address).catch((error: unknown) => {
      throw FileSystemError.Unavailable(error instanceof Error ? error.message : String(error));
    });
    return Buffer.from(text.startsWith(BOM) ? text : mark(uri) + text);
  }

  readDirectory(): [string, FileType][] {
    return [];
  }

  createDirectory(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  private async content({ run, attempt: number, content }: Address): Promise<string> {
    const { texts } = this;
    const attempt = (ready: (attempt: AttemptState) => boolean): Promise<AttemptState> => texts.known(run, ({ state }) => {
      const found = state === undefined ? undefined : attemptOf(state, number);
      return found !== undefined && ready(found) ? found : undefined;
    });
    switch (content.kind) {
      case 'text':
      case 'file-text':
        return texts.text(run, content.blob);
      case 'inline':
        return (await texts.inline(run, content.parent, content.candidate)).text;
      case 'file-inline': {
        const inline = texts.inline(run, content.parent, content.candidate);
        return (await inline.catch(() => Promise.reject(new Error(l10n.t('What your file held then is no longer known. Open the best so far again.'))))).text;
      }
      case 'report': {
        const report = texts.remembered(content.blob);
        if (report === undefined) throw new Error(l10n.t('This report is no longer known. Check the file again.'));
        return report;
      }
      case 'output': {
        const found = await attempt((each) => allRuns(each).length >= content.count);
        const outputs = allRuns(found).slice(0, content.count).map(async (measured) => ({ measured, text: await texts.text(run, measured.output) }));
        return outputPage(await Promise.all(outputs), l10n);
      }
      case 'reply': {
        const found = await attempt(({ reply, verdict }) => reply !== undefined && (!content.judged || verdict !== undefined));
        const textOf = (blob: BlobId | undefined): Promise<string> => (blob === undefined ? Promise.resolve('') : texts.text(run, blob));
        return replyPage(found, content.judged, await textOf(found.reply), await textOf(found.request), l10n);
      }
    }
  }
}

/** A byte-order mark where a person's setting for the encoding of files would be applied to ours. */
function mark(uri: Uri): string {
  const files = workspace.getConfiguration('files', uri);
  return files.get('encoding') === 'utf8' && files.get('autoGuessEncoding') === false ? '' : BOM;
}

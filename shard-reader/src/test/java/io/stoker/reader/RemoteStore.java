package io.stoker.reader;

import io.stoker.store.DatasetStore;
import io.stoker.store.TestStores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A local directory that poses as a remote store, notes each fetch, and lets a test step in. */
final class RemoteStore implements DatasetStore {
  final List<String> fetched = new CopyOnWriteArrayList<>();
  volatile @Nullable Hook hook;

  private final DatasetStore store;

  /** Called before each fetch. */
  @FunctionalInterface
  interface Hook {
    void before(String name, long offset) throws IOException;
  }

  RemoteStore(Path root) {
    this.store = TestStores.local(root);
  }

  @Override
  public byte[] read(String name, long limit) throws IOException {
    return store.read(name, limit);
  }

  @Override
  public ByteBuffer map(String name, long fileBytes, long offset, long length) throws IOException {
    return store.map(name, fileBytes, offset, length);
  }

  @Override
  public void fetch(String name, long fileBytes, long offset, ByteBuffer target)
      throws IOException {
    Hook before = hook;
    if (before != null) {
      before.before(name, offset);
    }
    fetched.add(name + "@" + offset);
    target.put(store.map(name, fileBytes, offset, target.remaining()));
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public void close() {
    store.close();
  }
}

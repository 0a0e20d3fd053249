package dev.ratelimit.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A listener that records its calls.
 */
public final class SourceLog implements RuleSourceListener {

	private static final long PATIENCE_SECONDS = 10;

	private final BlockingQueue<Object> news = new LinkedBlockingQueue<>();

	@Override
	public void changed(RuleDocument document) {
		this.news.add(document);
	}

	@Override
	public void unchanged() {
		this.news.add("unchanged");
	}

	@Override
	public void absent() {
		this.news.add("absent");
	}

	@Override
	public void invalid(long version, String reason) {
		this.news.add("invalid: " + reason);
	}

	@Override
	public void failed(String reason) {
		this.news.add("failed: " + reason);
	}

	/**
	 * Wait for a document.
	 * @return the next document
	 * @throws InterruptedException if interrupted
	 */
	public RuleDocument document() throws InterruptedException {
		return (RuleDocument) await(RuleDocument.class, "");
	}

	/**
	 * Wait for anything else.
	 * @param start how it starts, such as {@code absent}
	 * @return all of it
	 * @throws InterruptedException if interrupted
	 */
	public String await(String start) throws InterruptedException {
		return (String) await(String.class, start);
	}

	private Object await(Class<?> type, String start) throws InterruptedException {
		List<Object> skipped = new ArrayList<>();
		long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
		while (System.nanoTime() - endNanos < 0) {
			Object next = this.news.poll(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
			if (type.isInstance(next) && (type != String.class || ((String) next).startsWith(start))) {
				return next;
			}
			skipped.add(String.valueOf(next));
		}
		throw new AssertionError("waited for " + type.getSimpleName() + " '" + start + "', was told " + skipped);
	}

	/**
	 * Check that there is no document for some time.
	 * @param time how long
	 * @throws InterruptedException if interrupted
	 */
	public void nothingNewFor(Duration time) throws InterruptedException {
		Thread.sleep(time.toMillis());
		List<Object> told = new ArrayList<>();
		this.news.drainTo(told);
		assertThat(told).noneMatch(RuleDocument.class::isInstance);
	}

	/** Forget everything. */
	public void clear() {
		this.news.clear();
	}

	/**
	 * The number of calls since.
	 * @return the number of calls that were not waited for
	 */
	public int size() {
		return this.news.size();
	}

}

package dev.ratelimit.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Records the readings of a source.
 */
public final class SourceLog implements Consumer<RuleSource.Reading> {

	private static final long TIMEOUT_SECONDS = 10;

	private final BlockingQueue<Object> news = new LinkedBlockingQueue<>();

	@Override
	public void accept(RuleSource.Reading reading) {
		if (reading instanceof RuleSource.Changed changed) {
			this.news.add(changed.document());
		}
		else if (reading instanceof RuleSource.Invalid invalid) {
			this.news.add("invalid: " + invalid.reason());
		}
		else if (reading instanceof RuleSource.Failed failed) {
			this.news.add("failed: " + failed.reason());
		}
		else {
			this.news.add((reading instanceof RuleSource.Absent) ? "absent" : "unchanged");
		}
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
	 * Wait for a reading other than a document.
	 * @param start the prefix of the reading, such as {@code absent}
	 * @return the complete text of the reading
	 * @throws InterruptedException if interrupted
	 */
	public String await(String start) throws InterruptedException {
		return (String) await(String.class, start);
	}

	private Object await(Class<?> type, String start) throws InterruptedException {
		List<Object> skipped = new ArrayList<>();
		long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
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
	 * Check that no document is published for some time.
	 * @param time the time to wait
	 * @throws InterruptedException if interrupted
	 */
	public void nothingNewFor(Duration time) throws InterruptedException {
		Thread.sleep(time.toMillis());
		List<Object> told = new ArrayList<>();
		this.news.drainTo(told);
		assertThat(told).noneMatch(RuleDocument.class::isInstance);
	}

	/** Discard all readings. */
	public void clear() {
		this.news.clear();
	}

	/**
	 * Return the number of readings that were not waited for.
	 * @return the number of readings
	 */
	public int size() {
		return this.news.size();
	}

}

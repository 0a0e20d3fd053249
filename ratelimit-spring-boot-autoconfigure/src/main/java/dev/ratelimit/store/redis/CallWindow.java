package dev.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.Time;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandType;

/**
 * Sends calls of scripts over a connection. While few calls are pending, each call is
 * sent immediately by its own thread. Further calls wait here instead of in the server's
 * queue, and each reply sends the waiting calls as one call. These calls share a system
 * call, the start of a script, and a reply. No call waits for a timer or for others to
 * join it. If the connection is lost, pending calls fail, and waiting calls are rejected
 * when they are sent. Thread-safe.
 */
final class CallWindow {

	/**
	 * The maximum number of calls in a batch, which occupies a server for no longer than
	 * a slow command.
	 */
	private static final int MAX_JOINED = 64;

	private static final int MAX_WEIGHT = 100 * StraightLayout.WEIGHT;

	/**
	 * A call with more arguments is sent alone, because a script cannot unpack so many.
	 */
	private static final int MAX_ARGUMENTS = 4000;

	/**
	 * The maximum number of waiting calls: more than all pending decisions of an
	 * instance.
	 */
	private static final int MAX_WAITING = 16_384;

	private final StatefulConnection<byte[], byte[]> connection;

	private final BatchScripts scripts;

	/**
	 * The scripts of batches that were sent before. Only the thread that drains uses it.
	 */
	private final Set<LuaScript> sent = new HashSet<>();

	private final RoundTrip roundTrip;

	private final Time time;

	private final Consumer<Runnable> afterWrites;

	private final IntConsumer calls;

	private final Queue<SingleCommand> waiting = new ConcurrentLinkedQueue<>();

	private final AtomicInteger waitingCount = new AtomicInteger();

	private final AtomicInteger pending = new AtomicInteger();

	/**
	 * The number of single calls without a reply: calls that wait, or that were sent
	 * alone or joined.
	 */
	private final AtomicInteger unanswered = new AtomicInteger();

	/**
	 * The number of commands that were sent and are not written to the connection yet.
	 */
	private final AtomicInteger unwritten = new AtomicInteger();

	/**
	 * The number of times that a thread that sends waiting calls must check for them
	 * again; 0 if no thread sends waiting calls.
	 */
	private final AtomicInteger drains = new AtomicInteger();

	/**
	 * Create a window.
	 * @param connection the connection
	 * @param scripts the scripts that join calls
	 * @param roundTrip determines how many calls may be pending
	 * @param time the time
	 * @param afterWrites runs a task after the commands that other threads have sent so
	 * far
	 * @param calls receives the number of joined calls for each call
	 */
	CallWindow(StatefulConnection<byte[], byte[]> connection, BatchScripts scripts, RoundTrip roundTrip, Time time,
			Consumer<Runnable> afterWrites, IntConsumer calls) {
		this.connection = connection;
		this.scripts = scripts;
		this.roundTrip = roundTrip;
		this.time = time;
		this.afterWrites = afterWrites;
		this.calls = calls;
	}

	StatefulConnection<byte[], byte[]> connection() {
		return this.connection;
	}

	/**
	 * Send a call.
	 * @param call the call, of a script that is made for batches
	 * @param deadlineNanos the {@link Time} after which it must not be sent
	 * @return its reply
	 */
	CompletableFuture<long[]> send(ScriptCall call, long deadlineNanos) {
		SingleCommand command = new SingleCommand(call, CommandType.EVALSHA, deadlineNanos);
		// Calls that a thread has taken to send them are sent before this one.
		if (this.drains.get() == 0 && this.waitingCount.get() == 0 && enter()) {
			command.sendAlone(true);
			return command;
		}
		if (this.waitingCount.get() >= MAX_WAITING) {
			command.completeExceptionally(StoreException.uncharged(Kind.OVERLOAD, "too many calls are waiting", null));
			return command;
		}
		this.waiting.add(command);
		this.waitingCount.incrementAndGet();
		drain();
		return command;
	}

	/**
	 * Send a call immediately, with the text of its script, so that it runs before all
	 * calls that are sent after it.
	 * @param call the call
	 * @return its reply
	 */
	CompletableFuture<long[]> sendText(ScriptCall call) {
		SingleCommand command = new SingleCommand(call, CommandType.EVAL, 0);
		command.dispatch(false);
		return command;
	}

	private boolean enter() {
		int width = this.roundTrip.width(this.unanswered.get());
		int now = this.pending.get();
		while (now < width) {
			if (this.pending.compareAndSet(now, now + 1)) {
				return true;
			}
			now = this.pending.get();
		}
		return false;
	}

	// Only one thread sends waiting calls, so that they are sent in their order. Another
	// thread only makes this thread check for calls again. So does a call that ends
	// immediately because the connection was lost, which avoids recursion.
	private void drain() {
		if (this.drains.getAndIncrement() != 0) {
			return;
		}
		int looks = 1;
		try {
			while (looks != 0) {
				while (this.waitingCount.get() > 0 && enter()) {
					sendNext();
				}
				looks = this.drains.addAndGet(-looks);
			}
		}
		catch (RuntimeException | Error ex) {
			// Let the next thread continue. Otherwise, calls would wait forever.
			this.drains.set(0);
			throw ex;
		}
	}

	private void sendNext() {
		List<SingleCommand> joined = new ArrayList<>();
		List<SingleCommand> late = new ArrayList<>();
		long nowNanos = this.time.nanos();
		int weight = 0;
		SingleCommand next = this.waiting.peek();
		while (next != null && joined.size() < MAX_JOINED
				&& (joined.isEmpty() || (weight + next.weight() <= MAX_WEIGHT && mayJoin(joined, next)))) {
			this.waiting.remove();
			this.waitingCount.decrementAndGet();
			if (nowNanos - next.deadlineNanos >= 0) {
				late.add(next);
			}
			else {
				joined.add(next);
				weight += next.weight();
			}
			next = this.waiting.peek();
		}
		if (joined.isEmpty()) {
			this.pending.decrementAndGet();
		}
		else if (joined.size() == 1) {
			joined.get(0).sendAlone(true);
		}
		else {
			sendJoined(joined);
		}
		// Complete late calls last, because this runs code that waits for their replies.
		late.forEach((command) -> command.completeExceptionally(
				StoreException.uncharged(Kind.TIMEOUT, "the deadline passed before the call was sent", null)));
	}

	private boolean mayJoin(List<SingleCommand> joined, SingleCommand next) {
		return this.scripts.mayJoin(joined.get(joined.size() - 1).call().script(), next.call().script());
	}

	private void sendJoined(List<SingleCommand> joined) {
		ScriptCall batch;
		try {
			batch = this.scripts.join(joined.stream().map(ScriptCommand::call).toList());
		}
		catch (RuntimeException ex) {
			this.pending.decrementAndGet();
			joined.forEach((command) -> command.completeExceptionally(ex));
			return;
		}
		// The first call sends the text of the script. If it were sent again after
		// NOSCRIPT, it would run after calls that are sent meanwhile.
		CommandType type = (this.sent.add(batch.script())) ? CommandType.EVAL : CommandType.EVALSHA;
		new BatchCommand(batch, type, joined).dispatch(true);
		this.calls.accept(joined.size());
	}

	// Waiting calls are sent before code continues that waited for this reply.
	private void ended(long sentNanos) {
		int left = this.pending.decrementAndGet();
		this.roundTrip.measured(this.time.nanos() - sentNanos, left == 0);
		if (this.waitingCount.get() > 0) {
			drain();
		}
	}

	/**
	 * A call, or several joined calls, between this instance and the server.
	 */
	private abstract class TrackedCommand extends ScriptCommand {

		private static final AtomicIntegerFieldUpdater<TrackedCommand> UNWRITTEN = AtomicIntegerFieldUpdater
			.newUpdater(TrackedCommand.class, "unwritten");

		private static final AtomicIntegerFieldUpdater<TrackedCommand> STATE = AtomicIntegerFieldUpdater
			.newUpdater(TrackedCommand.class, "state");

		private static final int PENDING = 1;

		static final int UNANSWERED = 2;

		private long sentNanos;

		/** 1 from when the command is sent until it is written to the connection. */
		private volatile int unwritten;

		/** The counts of the window that include the command, as bits. */
		private volatile int state;

		TrackedCommand(ScriptCall call, CommandType type, int state) {
			super(CallWindow.this.connection, call, type);
			this.state = state;
		}

		/**
		 * Send the command after all commands that were sent before. A thread that writes
		 * to the connection directly would overtake commands that other threads have
		 * handed to it.
		 * @param inWindow whether the window counts it as a pending call
		 */
		final void dispatch(boolean inWindow) {
			this.sentNanos = CallWindow.this.time.nanos();
			this.state |= (inWindow) ? PENDING : 0;
			this.unwritten = 1;
			try {
				if (CallWindow.this.unwritten.getAndIncrement() > 0) {
					CallWindow.this.afterWrites.accept(this::sendOrFail);
				}
				else {
					sendOrFail();
				}
			}
			catch (RuntimeException ex) {
				completeExceptionally(ex);
			}
		}

		// A call that cannot be sent must end, because the window counts it.
		private void sendOrFail() {
			try {
				send();
			}
			catch (RuntimeException | Error ex) {
				completeExceptionally(ex);
			}
		}

		@Override
		final void written() {
			if (UNWRITTEN.getAndSet(this, 0) == 1) {
				CallWindow.this.unwritten.decrementAndGet();
			}
		}

		/** End the command. Waiting calls are sent before the reply is passed on. */
		final void leave() {
			written();
			int present = STATE.getAndSet(this, 0);
			if ((present & UNANSWERED) != 0) {
				CallWindow.this.unanswered.decrementAndGet();
			}
			if ((present & PENDING) != 0) {
				ended(this.sentNanos);
			}
		}

		// This call ends even if sending the waiting calls fails.
		@Override
		public final boolean complete(long[] numbers) {
			try {
				leave();
			}
			finally {
				replied(numbers);
				super.complete(numbers);
			}
			return true;
		}

		@Override
		public final boolean completeExceptionally(Throwable failure) {
			StoreException translated = RedisFailures.translate(failure, CallWindow.this.connection);
			try {
				leave();
			}
			finally {
				failed(translated);
				super.completeExceptionally(translated);
			}
			return true;
		}

		@Override
		public final boolean cancel(boolean interrupting) {
			return completeExceptionally(new CancellationException("the call was cancelled"));
		}

		void replied(long[] numbers) {
		}

		void failed(StoreException failure) {
		}

	}

	/**
	 * One call, which is sent alone or joined with others.
	 */
	private final class SingleCommand extends TrackedCommand {

		private final long deadlineNanos;

		SingleCommand(ScriptCall call, CommandType type, long deadlineNanos) {
			super(call, type, UNANSWERED);
			CallWindow.this.unanswered.incrementAndGet();
			this.deadlineNanos = deadlineNanos;
		}

		int weight() {
			return (call().arguments().length > MAX_ARGUMENTS || call().keys().length > MAX_JOINED) ? MAX_WEIGHT
					: call().weight();
		}

		void sendAlone(boolean inWindow) {
			dispatch(inWindow);
			CallWindow.this.calls.accept(1);
		}

	}

	/**
	 * Several calls that are sent as one call.
	 */
	private final class BatchCommand extends TrackedCommand {

		private final List<SingleCommand> joined;

		BatchCommand(ScriptCall batch, CommandType type, List<SingleCommand> joined) {
			super(batch, type, 0);
			this.joined = joined;
		}

		@Override
		CommandOutput<byte[], byte[], long[]> newOutput() {
			return new BatchOutput();
		}

		@Override
		void replied(long[] numbers) {
			try {
				share(numbers, ((BatchOutput) getOutput()).errors);
			}
			catch (RuntimeException ex) {
				// A call without a reply would never end.
				this.joined.forEach((command) -> command.completeExceptionally(ex));
			}
		}

		@Override
		void failed(StoreException failure) {
			this.joined.forEach((command) -> command.completeExceptionally(failure));
		}

		private void share(long[] numbers, List<String> errors) {
			int at = 0;
			int failed = 0;
			for (SingleCommand command : this.joined) {
				int length = (int) numbers[at++];
				if (length < 0) {
					command.completeExceptionally(new RedisCommandExecutionException(errors.get(failed++)));
					at++;
				}
				else {
					command.complete(Arrays.copyOfRange(numbers, at, at + length));
					at += length;
				}
			}
		}

	}

	/**
	 * Reads integers, and errors between them.
	 */
	private static final class BatchOutput extends ScriptCommand.LongsOutput {

		private final List<String> errors = new ArrayList<>(0);

		BatchOutput() {
			super(ByteArrayCodec.INSTANCE);
		}

		@Override
		public void set(ByteBuffer bytes) {
			this.errors.add(StandardCharsets.UTF_8.decode(bytes).toString());
			skip();
		}

	}

	/**
	 * The round-trip time of a server, which determines how many calls may be pending.
	 * For a near server, the number decreases if there are more decisions: a few calls
	 * keep the server busy, and each call joins more decisions. For a distant server, the
	 * number is so high that replies, which send waiting calls, arrive often.
	 * Thread-safe. A race may lose a measurement, which is harmless.
	 */
	static class RoundTrip {

		private static final int MIN_CALLS = 2;

		private static final int MAX_NEAR_CALLS = 8;

		/**
		 * With this number, 8 decisions have a call each, 16 share 4 calls, and 32 or
		 * more share 2.
		 */
		private static final int NEAR_CALLS_TIMES_DECISIONS = 64;

		private static final int MAX_FAR_CALLS = 64;

		/**
		 * The target of the interval between replies of a distant server.
		 */
		private static final long INTERVAL_NANOS = 40_000;

		private volatile long nanos;

		private volatile int far = MIN_CALLS;

		/**
		 * Return the number of calls that may be pending.
		 * @param decisions the number of decisions that wait or are pending
		 * @return the number
		 */
		int width(int decisions) {
			int near = Math.max(MIN_CALLS,
					Math.min(MAX_NEAR_CALLS, NEAR_CALLS_TIMES_DECISIONS / Math.max(1, decisions)));
			return Math.max(near, this.far);
		}

		// A call may wait for other calls, so its time is only an upper bound of the
		// round-trip time. Even the only call may be late for other reasons, so the
		// estimate increases slowly.
		void measured(long callNanos, boolean alone) {
			long present = this.nanos;
			if (present == 0 || callNanos < present) {
				set((present == 0) ? callNanos : present - Math.max(1, (present - callNanos) / 8));
			}
			else if (alone) {
				set(present + Math.max(1, present / 64));
			}
		}

		private void set(long measured) {
			this.nanos = measured;
			this.far = (int) Math.max(MIN_CALLS, Math.min(MAX_FAR_CALLS, measured / INTERVAL_NANOS));
		}

	}

}

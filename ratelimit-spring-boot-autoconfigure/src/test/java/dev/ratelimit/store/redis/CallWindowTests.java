package dev.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;

/**
 * Tests calls on a connection whose replies the test defines.
 */
class CallWindowTests {

	private static final int WIDTH = 8;

	private static final long FOREVER = Duration.ofDays(1).toNanos();

	private static final LuaScript SCRIPT = LuaScript.fewBuckets(RedisClock.SERVER,
			List.of(StraightLayout.of("token-bucket")));

	private static final LuaScript OTHER = LuaScript.fewBuckets(RedisClock.SERVER, List.of(StraightLayout.of("gcra")));

	private final AtomicLong nanos = new AtomicLong();

	private final List<ScriptCommand> sent = new ArrayList<>();

	private final List<Integer> sizes = new ArrayList<>();

	private int width = WIDTH;

	private boolean connected = true;

	private boolean broken;

	private CallWindow window;

	@BeforeEach
	void open() {
		open(new BatchScripts(RedisClock.SERVER));
	}

	private void open(BatchScripts scripts) {
		@SuppressWarnings("unchecked")
		StatefulConnection<byte[], byte[]> connection = mock();
		given(connection.dispatch(anyCommand())).willAnswer((call) -> {
			ScriptCommand command = call.getArgument(0);
			if (this.broken) {
				throw new RedisException("Connection is closed");
			}
			if (!this.connected) {
				command.completeExceptionally(new RedisException("Currently not connected. Commands are rejected."));
				return command;
			}
			command.encode(Unpooled.buffer());
			this.sent.add(command);
			return command;
		});
		this.window = new CallWindow(connection, scripts, new Wide(), this.nanos::get, Runnable::run, this.sizes::add);
	}

	// Run a task after the waiting calls are taken and before they are sent.
	private BatchScripts joining(Runnable meanwhile) {
		BatchScripts scripts = spy(new BatchScripts(RedisClock.SERVER));
		willAnswer((call) -> {
			meanwhile.run();
			return call.callRealMethod();
		}).given(scripts).join(any());
		return scripts;
	}

	private CompletableFuture<long[]> send(LuaScript script, String key) {
		return this.window.send(call(script, key), FOREVER);
	}

	private static ScriptCall call(LuaScript script, String key) {
		return new ScriptCall(script, new byte[][] { key.getBytes(StandardCharsets.UTF_8) },
				new byte[][] { { '1' }, { 'a' }, { '9' } });
	}

	private List<CompletableFuture<long[]>> send(int count) {
		List<CompletableFuture<long[]>> replies = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			replies.add(send(SCRIPT, "key-" + i));
		}
		return replies;
	}

	// Return the keys of each sent command.
	private List<List<String>> keys() {
		return this.sent.stream().map((command) -> {
			List<String> keys = new ArrayList<>();
			for (byte[] key : command.call().keys()) {
				keys.add(new String(key, StandardCharsets.UTF_8));
			}
			return keys;
		}).toList();
	}

	private void reply(int command, Object... reply) {
		ScriptCommand answered = this.sent.get(command);
		CommandOutput<byte[], byte[], long[]> output = answered.getOutput();
		output.multi(reply.length);
		for (Object part : reply) {
			if (part instanceof Integer number) {
				output.set(number.longValue());
			}
			else {
				output.set(ByteBuffer.wrap(part.toString().getBytes(StandardCharsets.UTF_8)));
			}
		}
		answered.complete();
	}

	private void error(int command, String error) {
		ScriptCommand answered = this.sent.get(command);
		answered.getOutput().setError(error);
		answered.complete();
	}

	private static StoreException failure(CompletableFuture<long[]> reply) {
		assertThat(reply).isCompletedExceptionally();
		return StoreException.of(reply.handle((numbers, failure) -> failure).join());
	}

	@Test
	void eachCallIsSentAloneAndAtOnceWhileFewArePending() {
		List<CompletableFuture<long[]>> replies = send(WIDTH);
		assertThat(keys()).hasSize(WIDTH).allSatisfy((keys) -> assertThat(keys).hasSize(1));
		assertThat(this.sent).allSatisfy((command) -> assertThat(command.getType()).isEqualTo(CommandType.EVALSHA));
		reply(3, 7, 1, 2);
		assertThat(replies.get(3)).isCompletedWithValueMatching((numbers) -> numbers[0] == 7 && numbers[2] == 2);
	}

	@Test
	void aReplySendsWaitingCallsAsOneBeforeItIsPassedOn() {
		List<CompletableFuture<long[]>> replies = send(WIDTH + 3);
		assertThat(this.sent).hasSize(WIDTH);
		List<Integer> sentBefore = new ArrayList<>();
		replies.get(0).thenRun(() -> sentBefore.add(this.sent.size()));
		reply(0, 7, 1, 2);
		assertThat(sentBefore).containsExactly(WIDTH + 1);
		assertThat(keys().get(WIDTH)).containsExactly("key-8", "key-9", "key-10");
		reply(WIDTH, 3, 7, 1, 8, 3, 7, 1, 9, 1, 7);
		assertThat(replies.get(8).join()).containsExactly(7, 1, 8);
		assertThat(replies.get(9).join()).containsExactly(7, 1, 9);
		assertThat(replies.get(10).join()).containsExactly(7);
		assertThat(this.sizes).containsExactly(1, 1, 1, 1, 1, 1, 1, 1, 3);
	}

	@Test
	void noCallOvertakesThoseThatAreBeingJoined() {
		open(joining(() -> {
			this.width = 2 * WIDTH;
			send(SCRIPT, "last");
		}));
		send(WIDTH);
		send(SCRIPT, "first");
		send(SCRIPT, "second");
		reply(0, 1);
		assertThat(keys().subList(WIDTH, WIDTH + 2)).containsExactly(List.of("first", "second"), List.of("last"));
	}

	@Test
	void anErrorOfOneCallIsThatOnesAlone() {
		List<CompletableFuture<long[]>> replies = send(WIDTH + 3);
		reply(0, 7, 1, 2);
		reply(WIDTH, 3, 7, 1, 8, -1, "@user_script: 12: -OOM command not allowed when used memory > 'maxmemory'.", 3, 7,
				1, 9);
		assertThat(replies.get(8).join()).containsExactly(7, 1, 8);
		assertThat(failure(replies.get(9)).kind()).isEqualTo(Kind.CONNECTION);
		assertThat(replies.get(10).join()).containsExactly(7, 1, 9);
	}

	@Test
	void aReplyThatIsNoneEndsAllCalls() {
		List<CompletableFuture<long[]>> replies = send(WIDTH + 2);
		reply(0, 7, 1, 2);
		reply(WIDTH, 3, 7, 1, 8);
		assertThat(replies.get(8).join()).containsExactly(7, 1, 8);
		assertThat(failure(replies.get(9)).kind()).isEqualTo(Kind.OTHER);
	}

	@Test
	void callsThatAreLateBeforeTheyAreSentAreNotSent() {
		send(WIDTH);
		CompletableFuture<long[]> late = this.window.send(call(SCRIPT, "late"), 100);
		CompletableFuture<long[]> inTime = this.window.send(call(SCRIPT, "in time"), 101);
		this.nanos.set(100);
		reply(0, 7, 1, 2);
		assertThat(failure(late)).satisfies((failure) -> {
			assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
			assertThat(failure.isUncharged()).isTrue();
		});
		assertThat(keys().get(WIDTH)).containsExactly("in time");
		assertThat(inTime).isNotDone();
		assertThat(this.sent).hasSize(WIDTH + 1);
	}

	@Test
	void lateCallsLeaveThePendingCalls() {
		send(WIDTH);
		this.window.send(call(SCRIPT, "late"), 100);
		this.nanos.set(100);
		reply(0, 7, 1, 2);
		send(SCRIPT, "next");
		assertThat(keys().get(WIDTH)).containsExactly("next");
	}

	@Test
	void heavyCallsAreNotJoinedWithMany() {
		send(WIDTH);
		for (int i = 0; i < 3; i++) {
			this.window.send(call(SCRIPT, "heavy").heavier(60 * StraightLayout.WEIGHT), FOREVER);
		}
		reply(0, 7, 1, 2);
		reply(1, 7, 1, 2);
		assertThat(keys().subList(WIDTH, WIDTH + 2)).allSatisfy((keys) -> assertThat(keys).hasSize(1));
	}

	@Test
	void noMoreThan64CallsAreJoined() {
		send(WIDTH + 100);
		reply(0, 7, 1, 2);
		assertThat(keys().get(WIDTH)).hasSize(64);
		reply(1, 7, 1, 2);
		assertThat(keys().get(WIDTH + 1)).hasSize(36);
	}

	@Test
	void callsOfSeveralScriptsAreJoinedInTheirOrder() {
		send(WIDTH);
		send(OTHER, "a");
		send(SCRIPT, "b");
		send(OTHER, "c");
		reply(0, 7, 1, 2);
		assertThat(keys().get(WIDTH)).containsExactly("a", "b", "c");
		byte[] shapes = this.sent.get(WIDTH).call().arguments()[0];
		assertThat(shapes).containsExactly(1, 1, 3, 0, 2, 1, 3, 0, 1, 1, 3, 0);
	}

	@Test
	void aScriptThatJoinsCallsIsSentAsTextTheFirstTime() {
		send(WIDTH + 2);
		reply(0, 7, 1, 2);
		send(2);
		reply(1, 7, 1, 2);
		assertThat(this.sent.get(WIDTH).getType()).isEqualTo(CommandType.EVAL);
		assertThat(this.sent.get(WIDTH + 1).getType()).isEqualTo(CommandType.EVALSHA);
	}

	@Test
	void aScriptThatTheServerForgotIsSentOnceMoreAsText() {
		List<CompletableFuture<long[]>> replies = send(WIDTH + 2);
		reply(0, 7, 1, 2);
		replies.addAll(send(2));
		reply(1, 7, 1, 2);
		error(WIDTH + 1, "NOSCRIPT No matching script.");
		assertThat(this.sent).hasSize(WIDTH + 3);
		assertThat(this.sent.get(WIDTH + 2).getType()).isEqualTo(CommandType.EVAL);
		reply(WIDTH + 2, 3, 7, 1, 8, 3, 7, 1, 9);
		assertThat(replies.get(WIDTH + 3).join()).containsExactly(7, 1, 9);
		error(WIDTH, "NOSCRIPT No matching script.");
		assertThat(failure(replies.get(WIDTH)).kind()).isEqualTo(Kind.SCRIPT);
	}

	@Test
	void aCallWhoseReplyIsLostIsNotRepeated() {
		List<CompletableFuture<long[]>> replies = send(WIDTH + 2);
		reply(0, 7, 1, 2);
		this.sent.get(WIDTH).completeExceptionally(new RedisConnectionException("connection lost"));
		assertThat(replies.subList(WIDTH, WIDTH + 2)).allSatisfy((reply) -> {
			assertThat(failure(reply).kind()).isEqualTo(Kind.CONNECTION);
			assertThat(failure(reply).isUncharged()).isFalse();
		});
		assertThat(this.sent).hasSize(WIDTH + 1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 5000 })
	void waitingCallsAreRejectedUnchargedWhenTheConnectionIsLost(int waiting) {
		List<CompletableFuture<long[]>> replies = send(WIDTH + waiting);
		this.connected = false;
		List.copyOf(this.sent)
			.forEach((command) -> command.completeExceptionally(new RedisConnectionException("connection lost")));
		assertThat(replies).allSatisfy((reply) -> assertThat(failure(reply).kind()).isEqualTo(Kind.CONNECTION));
		assertThat(replies.subList(WIDTH, WIDTH + waiting))
			.allSatisfy((reply) -> assertThat(failure(reply).isUncharged()).isTrue());
		this.connected = true;
		this.sent.clear();
		send(WIDTH);
		assertThat(this.sent).hasSize(WIDTH);
	}

	@Test
	void aConnectionThatThrowsLosesNoCall() {
		this.broken = true;
		List<CompletableFuture<long[]>> replies = send(3 * WIDTH);
		assertThat(replies).allSatisfy((reply) -> {
			assertThat(failure(reply).kind()).isEqualTo(Kind.CONNECTION);
			assertThat(failure(reply).isUncharged()).isTrue();
		});
		this.broken = false;
		replies = send(WIDTH + 2);
		assertThat(this.sent).hasSize(WIDTH);
		this.broken = true;
		reply(0, 7, 1, 2);
		assertThat(failure(replies.get(WIDTH)).kind()).isEqualTo(Kind.CONNECTION);
		this.broken = false;
		send(1);
		assertThat(this.sent).hasSize(WIDTH + 1);
	}

	@Test
	void aReplyIsPassedOnWhateverFailsForWaitingCalls() {
		List<CompletableFuture<long[]>> replies = send(WIDTH);
		CompletableFuture<long[]> none = this.window
			.send(new ScriptCall(LuaScript.rejections(), new byte[][] { {} }, new byte[0][]), FOREVER);
		replies.add(send(SCRIPT, "key"));
		reply(0, 7, 1, 2);
		assertThat(replies.get(0).join()).containsExactly(7, 1, 2);
		assertThat(failure(none).kind()).isEqualTo(Kind.OTHER);
		assertThat(failure(replies.get(WIDTH)).kind()).isEqualTo(Kind.OTHER);
		send(SCRIPT, "next");
		assertThat(this.sent).hasSize(WIDTH + 1);
	}

	@Test
	void noCallIsLostBetweenThreads() throws Exception {
		int threads = 8;
		int each = 20_000;
		ExecutorService server = Executors.newSingleThreadExecutor();
		@SuppressWarnings("unchecked")
		StatefulConnection<byte[], byte[]> connection = mock();
		given(connection.dispatch(anyCommand())).willAnswer((call) -> {
			ScriptCommand command = call.getArgument(0);
			server.execute(() -> {
				command.encode(Unpooled.buffer());
				answer(command);
			});
			return command;
		});
		AtomicLong made = new AtomicLong();
		CallWindow crowded = new CallWindow(connection, new BatchScripts(RedisClock.SERVER), new CallWindow.RoundTrip(),
				System::nanoTime, server::execute, made::addAndGet);
		CountDownLatch ended = new CountDownLatch(threads * each);
		List<Thread> callers = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			callers.add(new Thread(() -> {
				for (int call = 1; call <= each; call++) {
					CompletableFuture<long[]> reply = crowded.send(call(SCRIPT, "key"), System.nanoTime() + FOREVER);
					reply.thenRun(ended::countDown);
					if (call % 50 == 0) {
						reply.join();
					}
				}
			}));
		}
		callers.forEach(Thread::start);
		assertThat(ended.await(60, TimeUnit.SECONDS)).as("calls without a reply: " + ended.getCount()).isTrue();
		for (Thread caller : callers) {
			caller.join();
		}
		assertThat(made).hasValue(threads * each);
		server.shutdown();
	}

	@ParameterizedTest
	@CsvSource({ "1, 8", "8, 8", "16, 4", "32, 2", "1000, 2" })
	void theMoreDecisionsTheFewerCallsOfANearServerArePending(int decisions, int calls) {
		CallWindow.RoundTrip near = new CallWindow.RoundTrip();
		near.measured(Duration.ofNanos(60_000).toNanos(), true);
		assertThat(near.width(decisions)).isEqualTo(calls);
	}

	@ParameterizedTest
	@CsvSource({ "200, 5", "500, 12", "1000, 25", "2000, 50", "50000, 64" })
	void theFartherAServerTheMoreCallsArePending(int micros, int calls) {
		CallWindow.RoundTrip far = new CallWindow.RoundTrip();
		far.measured(TimeUnit.SECONDS.toNanos(1), true);
		for (int i = 0; i < 200; i++) {
			far.measured(TimeUnit.MICROSECONDS.toNanos(micros), false);
		}
		assertThat(far.width(1000)).isEqualTo(calls);
	}

	@Test
	void callsBesideOthersDoNotMakeAServerFarther() {
		CallWindow.RoundTrip near = new CallWindow.RoundTrip();
		near.measured(50_000, true);
		for (int i = 0; i < 1000; i++) {
			near.measured(TimeUnit.MILLISECONDS.toNanos(5), false);
		}
		assertThat(near.width(1000)).isEqualTo(2);
		for (int i = 0; i < 1000; i++) {
			near.measured(TimeUnit.MILLISECONDS.toNanos(5), true);
		}
		assertThat(near.width(1000)).isEqualTo(64);
	}

	private static RedisCommand<byte[], byte[], long[]> anyCommand() {
		return any();
	}

	private static void answer(ScriptCommand command) {
		int keys = command.call().keys().length;
		CommandOutput<byte[], byte[], long[]> output = command.getOutput();
		if (command.call().arguments().length == 3) {
			output.multi(1);
			output.set(7);
		}
		else {
			output.multi(2 * keys);
			for (int i = 0; i < keys; i++) {
				output.set(1);
				output.set(7);
			}
		}
		command.complete();
	}

	/**
	 * A round trip with a constant width for any number of decisions.
	 */
	private final class Wide extends CallWindow.RoundTrip {

		@Override
		int width(int decisions) {
			return CallWindowTests.this.width;
		}

	}

}

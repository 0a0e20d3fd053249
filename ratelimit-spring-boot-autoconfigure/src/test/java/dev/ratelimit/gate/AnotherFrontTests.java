package dev.ratelimit.gate;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.Outcome;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.test.Engines;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the gate supports any front end, such as a message listener with headers and
 * topics.
 */
class AnotherFrontTests {

	private final RateLimitEngine engine = Engines.of(new MemoryLimitStore(100, () -> 1000));

	private final RuleStage<Message> stage = new RuleStage<>(this.engine, new MessageReader(), PartitionKeys.NONE,
			"message", PassageObserver.NONE);

	@Test
	void messagesAreLimitedByTheirSender() {
		this.engine.editions().adopt(List.of(RuleBuilder.rule("orders").limits("2/h").build()));
		assertThat(enter(message("alice"))).extracting(RequestProgress::allowed).isEqualTo(true);
		assertThat(enter(message("alice"))).extracting(RequestProgress::allowed).isEqualTo(true);
		assertThat(enter(message("alice"))).extracting(RequestProgress::allowed).isEqualTo(false);
		assertThat(enter(message("bob"))).extracting(RequestProgress::allowed).isEqualTo(true);
	}

	@Test
	void aMessageThatIsDeliveredAgainIsNotCharged() {
		this.engine.editions().adopt(List.of(RuleBuilder.rule("orders").limits("1/h").idempotency().build()));
		Message message = new Message("alice", Optional.of("message-1"));
		assertThat(enter(message).allowed()).isTrue();
		assertThat(enter(message).decision().verdicts()).singleElement()
			.satisfies((verdict) -> assertThat(verdict.outcome()).isEqualTo(Outcome.REPLAYED));
		assertThat(enter(message("alice")).allowed()).isFalse();
	}

	@Test
	void slotIsReleasedWhenTheMessageIsProcessed() {
		this.engine.editions().adopt(List.of(RuleBuilder.rule("orders").limits("1").algorithm("concurrency").build()));
		RequestProgress first = enter(message("alice"));
		assertThat(enter(message("alice")).allowed()).isFalse();
		first.free();
		assertThat(enter(message("alice")).allowed()).isTrue();
	}

	@Test
	void anOverrideGoesBeforeThePlan() {
		this.engine.editions()
			.adopt(List.of(RuleBuilder.rule("orders")
				.key("user")
				.limits("1/h")
				.plan("paid", "5/h")
				.override("alice", "3/h")
				.build()));
		assertThat(enter(message("alice")).decision().verdicts().get(0).remaining()).isEqualTo(2);
		assertThat(enter(message("bob")).decision().verdicts().get(0).remaining()).isEqualTo(4);
	}

	private RequestProgress enter(Message message) {
		GateRule<Message> rule = new GateRule<>(this.engine.rule("orders").orElseThrow(),
				List.of((call, match) -> Optional.of(Subjects.part("user", call.sender()))), (call, route, limits) -> 1,
				AccessList.equal(), RuleObservations.NONE);
		return this.stage.enter(List.of(() -> rule), message, RequestProgress.START).join();
	}

	private static Message message(String sender) {
		return new Message(sender, Optional.empty());
	}

	private record Message(String sender, Optional<String> id) implements Call {
	}

	private static final class MessageReader implements CallReader<Message> {

		@Override
		public Optional<String> plan(Message message) {
			return Optional.of("paid");
		}

		@Override
		public Optional<RetryKey> retryKey(Message message) {
			return message.id().map((id) -> new RetryKey(id, "orders"));
		}

	}

}

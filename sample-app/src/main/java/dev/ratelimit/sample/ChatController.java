package dev.ratelimit.sample;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.CostResolver;
import dev.ratelimit.RateLimitContext;
import dev.ratelimit.RequestView;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * A chat with a model that streams its output. The charges of tokens are estimates until
 * the stream ends. They are then settled to the number of tokens that were read and sent,
 * regardless of the reason for the end.
 */
@RestController
@Profile("llm")
class ChatController {

	private static final Duration PER_TOKEN = Duration.ofMillis(10);

	private final FakeModel model;

	ChatController(FakeModel model) {
		this.model = model;
	}

	@PostMapping(path = "/api/chat", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Flux<String> chat(@RequestBody String prompt, @RequestParam("max_tokens") int maxTokens, RateLimitContext limits) {
		AtomicLong sent = new AtomicLong();
		limits.settle("chat-input", FakeModel.tokens(prompt));
		return this.model.write(prompt, maxTokens)
			.doOnNext((token) -> sent.incrementAndGet())
			.doFinally((signal) -> limits.settle("chat-output", sent.get()))
			// Cancel on the thread of the model, so that a token that is being sent is
			// counted first.
			.cancelOn(FakeModel.THREAD)
			.onBackpressureBuffer();
	}

	/**
	 * A model that writes its prompt again and again.
	 */
	static final class FakeModel {

		private static final Scheduler THREAD = Schedulers.newSingle("model", true);

		private final AtomicLong written = new AtomicLong();

		// Count tokens as for English text: about four characters each.
		static long tokens(String text) {
			return (text.length() + 3) / 4;
		}

		Flux<String> write(String prompt, int maxTokens) {
			String[] words = prompt.trim().split("\\s+");
			return Flux.interval(PER_TOKEN, THREAD)
				.take(maxTokens)
				.map((index) -> words[(int) (index % words.length)])
				.doOnNext((word) -> this.written.incrementAndGet());
		}

		/**
		 * Return the number of tokens that the model has written.
		 * @return the number
		 */
		long written() {
			return this.written.get();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Profile("llm")
	static class Model {

		@Bean
		FakeModel model() {
			return new FakeModel();
		}

		// The prompt is not read yet, but its length is known.
		@Bean
		CostResolver inputTokens() {
			return new CostResolver() {

				@Override
				public long cost(RequestView request) {
					long bytes = request.header(HttpHeaders.CONTENT_LENGTH).map(Long::parseLong).orElse(Long.MAX_VALUE);
					return Math.max(1, bytes / 4);
				}

				@Override
				public boolean needsPrincipal() {
					return false;
				}

			};
		}

	}

}

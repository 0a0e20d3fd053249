package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;

import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.method.HandlerMethod;

import static org.assertj.core.api.Assertions.assertThat;

class EventStreamsTests {

	@ParameterizedTest
	@CsvSource({ "events, true", "nested, true", "values, false", "comparable, false", "raw, false" })
	void theReturnTypeOfAHandlerDeclaresEvents(String method, boolean declared) {
		HandlerMethod handler = new HandlerMethod(new Handlers(),
				Optional.ofNullable(ReflectionUtils.findMethod(Handlers.class, method)).orElseThrow());
		assertThat(EventStreams.isDeclared("text/event-stream;charset=UTF-8", handler, null)).isEqualTo(declared);
		assertThat(EventStreams.isDeclared("application/json", handler, null)).isFalse();
	}

	@SuppressWarnings("rawtypes")
	static class Handlers {

		Flux<ServerSentEvent<String>> events() {
			return Flux.empty();
		}

		ResponseEntity<Flux<ServerSentEvent<String>>> nested() {
			return ResponseEntity.ok(Flux.empty());
		}

		Flux<String> values() {
			return Flux.empty();
		}

		<T extends Comparable<T>> Flux<T> comparable() {
			return Flux.empty();
		}

		List<Node> raw() {
			return List.of();
		}

	}

	static class Node<T extends Node<T>> {

	}

}

package dev.ratelimit.web.reactive;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import dev.ratelimit.web.Form;
import dev.ratelimit.web.ParameterName;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;

/**
 * Reads forms through the exchange, which keeps them for filters and handlers behind.
 */
final class ReactiveForms {

	private ReactiveForms() {
	}

	static boolean isForm(ServerHttpRequest request) {
		return Form.isForm(request.getMethod().name(), type(request));
	}

	static CompletableFuture<Form> read(ServerWebExchange exchange) {
		ServerHttpRequest request = exchange.getRequest();
		if (!isForm(request)) {
			return (Form.mayHaveFields(type(request))) ? Form.UNREAD : Form.NOTHING;
		}
		CompletableFuture<Form> form = new CompletableFuture<>();
		exchange.getFormData()
			.subscribe((fields) -> form.complete(form(fields)), form::completeExceptionally,
					() -> form.complete((name) -> Optional.of(List.of())));
		return form;
	}

	private static @Nullable String type(ServerHttpRequest request) {
		return request.getHeaders().getFirst(HttpHeaders.CONTENT_TYPE);
	}

	private static Form form(MultiValueMap<String, String> fields) {
		return (name) -> Optional
			.of(new ParameterName(name).of(fields, Function.identity()).stream().map(ReactiveForms::value).toList());
	}

	// A name without a value has null.
	private static String value(@Nullable String value) {
		return (value != null) ? value : "";
	}

}

package dev.ratelimit.web.reactive;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import dev.ratelimit.web.request.Form;
import dev.ratelimit.web.request.ParameterName;

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

	static CompletableFuture<Form> read(ServerWebExchange exchange) {
		ServerHttpRequest request = exchange.getRequest();
		String type = request.getHeaders().getFirst(HttpHeaders.CONTENT_TYPE);
		if (!Form.isForm(request.getMethod().name(), type)) {
			return Form.NOTHING;
		}
		CompletableFuture<Form> form = new CompletableFuture<>();
		exchange.getFormData()
			.subscribe((fields) -> form.complete(form(fields)), form::completeExceptionally,
					() -> form.complete((name) -> List.of()));
		return form;
	}

	private static Form form(MultiValueMap<String, String> fields) {
		return (name) -> new ParameterName(name).of(fields, Function.identity());
	}

}

package dev.ratelimit.sample;

class ServletChatTests extends ChatContract {

}

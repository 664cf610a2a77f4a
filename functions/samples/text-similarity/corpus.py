"""A small invented language of everyday requests: a meaning is an intent and its slots, and each
meaning can be said in many ways. Two sayings of one meaning are similar; everything else is not.
"""

import itertools
import random

SLOTS = {
    "city": ["Berlin", "Paris", "Oslo", "Madrid", "Rome", "Vienna", "Lisbon", "Prague", "Dublin"],
    "day": ["today", "tomorrow", "on Monday", "on Friday", "on Sunday", "this weekend"],
    "food": ["pizza", "noodle soup", "a salad", "sushi", "a burger", "vegetable curry", "pasta"],
    "music": ["jazz", "rock", "classical music", "folk songs", "techno", "piano music"],
    "room": ["kitchen", "bedroom", "garage", "living room", "hallway", "office"],
    "item": ["laptop", "phone", "bicycle", "jacket", "washing machine", "camera", "book"],
    "person": ["Anna", "Tom", "my brother", "the doctor", "my boss", "Maria", "our neighbour"],
}

INTENTS = {
    "weather": [
        "what will the weather be like in {city} {day}",
        "is it going to rain in {city} {day}",
        "{day} forecast for {city} please",
        "do I need an umbrella in {city} {day}",
        "how warm does it get in {city} {day}",
        "tell me if the sun shines in {city} {day}",
    ],
    "train": [
        "book a train ticket to {city} for {day}",
        "I need to travel to {city} by rail {day}",
        "when does the train to {city} leave {day}",
        "find me a railway connection to {city} {day}",
        "I want to go to {city} by train {day}",
    ],
    "hotel": [
        "reserve a hotel room in {city} {day}",
        "find me a place to sleep in {city} {day}",
        "is there a cheap hostel in {city} {day}",
        "I am looking for accommodation in {city} {day}",
        "where can I stay overnight in {city} {day}",
    ],
    "order": [
        "I would like to order {food}",
        "please bring me {food} for dinner",
        "can you get {food} delivered to my home",
        "I am hungry and want {food}",
        "where is the best place to eat {food}",
    ],
    "recipe": [
        "how do I cook {food} at home",
        "show me a recipe for {food}",
        "which ingredients do I need to make {food}",
        "teach me to prepare {food} myself",
        "what are the steps for making {food}",
    ],
    "play": [
        "play some {music}",
        "I want to listen to {music}",
        "put on {music} please",
        "start a playlist with {music}",
        "can we hear {music} now",
    ],
    "light": [
        "switch on the light in the {room}",
        "it is too dark in the {room}",
        "turn the {room} lamp on",
        "make the {room} brighter",
        "I cannot see anything in the {room}",
    ],
    "heat": [
        "it is freezing in the {room}",
        "turn up the heating in the {room}",
        "make the {room} warmer",
        "set the {room} thermostat higher",
        "I feel cold in the {room}",
    ],
    "repair": [
        "my {item} is broken and must be fixed",
        "who can repair a {item} near me",
        "the {item} does not work any more",
        "I need help with a defective {item}",
        "something is wrong with my {item}",
    ],
    "buy": [
        "I want to buy a new {item}",
        "what does a good {item} cost",
        "show me offers for a {item}",
        "which {item} should I purchase",
        "find the cheapest {item} in the shop",
    ],
    "call": [
        "call {person} please",
        "give {person} a ring",
        "I have to phone {person}",
        "dial the number of {person}",
        "get {person} on the line",
    ],
    "meeting": [
        "arrange a meeting with {person} {day}",
        "put an appointment with {person} in my calendar {day}",
        "I would like to see {person} {day}",
        "is {person} free to talk {day}",
        "schedule a conversation with {person} {day}",
    ],
}


def meanings() -> list:
    """Every intent with every filling of its slots, in a fixed order."""
    found = []
    for intent, sayings in INTENTS.items():
        slots = [slot for slot in SLOTS if any("{" + slot + "}" in saying for saying in sayings)]
        for values in itertools.product(*(SLOTS[slot] for slot in slots)):
            found.append((intent, dict(zip(slots, values))))
    return found


def say(meaning: tuple, saying: int) -> str:
    intent, slots = meaning
    return INTENTS[intent][saying % len(INTENTS[intent])].format(**slots)


def roughen(sentence: str, chance: random.Random) -> str:
    """What people do to a sentence: leave a word out, other case, a typing error, a full stop."""
    words = sentence.split()
    if chance.random() < 0.7:
        words.pop(chance.randrange(len(words)))
    sentence = " ".join(words)
    if chance.random() < 0.5:
        sentence = sentence[0].upper() + sentence[1:]
    if chance.random() < 0.2:
        sentence = sentence.lower()
    if chance.random() < 0.3:
        at = chance.randrange(len(sentence) - 1)
        sentence = sentence[:at] + sentence[at + 1 :]
    if chance.random() < 0.3:
        sentence += chance.choice(".?!")
    return sentence
